"""Answering with a language model: it decides what to search, and what it says is proved."""
