"""What is particular to catalogues of products and services."""
