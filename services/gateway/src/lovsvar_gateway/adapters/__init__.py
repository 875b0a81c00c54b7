"""What the gateway reaches NATS with."""
