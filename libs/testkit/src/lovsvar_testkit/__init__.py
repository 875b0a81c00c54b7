"""Fixtures for tests against real servers."""
