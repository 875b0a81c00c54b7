"""What the ingest service's core reaches the world with."""
