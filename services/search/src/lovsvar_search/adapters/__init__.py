"""What the search service's core reaches the world with."""
