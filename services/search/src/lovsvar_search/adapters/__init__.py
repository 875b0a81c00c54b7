"""Tantivy, PostgreSQL and the folder that the index lives in."""
