"""What the gateway knows without NATS or HTTP: its errors, its words, and how a document is laid out for reading."""
