"""Catalogues in PostgreSQL."""
