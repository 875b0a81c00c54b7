"""The outside world of the practice service: the search provider, and what NATS keeps of it."""
