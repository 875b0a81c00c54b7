"""What the agent service's core reaches the world with."""
