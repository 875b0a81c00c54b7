"""Readers of documents. All but `child_reader` and `sandbox` are loaded in the child process alone."""
