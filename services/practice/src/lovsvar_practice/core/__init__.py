"""Finding practice: the use case, its port and its errors."""
