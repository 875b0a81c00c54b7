"""Retrieval on Tantivy: the index of any collection, the folder it is in, and the embedder of questions."""
