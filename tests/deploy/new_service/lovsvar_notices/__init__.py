"""A service that exists in tests alone: notices, which it stores, sends and lists."""
