"""Retrieval of any collection: what is searched is given by its definition, and nothing here knows what it is about."""
