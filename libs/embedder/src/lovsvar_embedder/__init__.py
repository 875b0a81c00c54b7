"""Embedding models: text to vectors, and what the cosines of each model mean."""
