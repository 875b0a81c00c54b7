"""Catalogues of products and services: their file, their items, and the sync of one."""
