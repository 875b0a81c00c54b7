"""Answering a question: the life of a run, its strategies, what they decide by, the ports and the errors."""
