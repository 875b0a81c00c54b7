"""The model of a case, the ports, the use cases and the errors: pure."""
