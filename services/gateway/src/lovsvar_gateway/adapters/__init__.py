"""What the gateway service's core reaches the world with."""
