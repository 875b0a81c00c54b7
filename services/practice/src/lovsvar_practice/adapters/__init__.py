"""The outside world of the practice service: the search provider."""
