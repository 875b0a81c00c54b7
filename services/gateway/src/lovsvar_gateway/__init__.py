"""The gateway service: HTTP and server-sent events in front of the others, which it reaches by NATS alone."""
