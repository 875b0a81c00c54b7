"""What the gateway knows without NATS or HTTP: limits, admission, errors, views of answers and documents."""
