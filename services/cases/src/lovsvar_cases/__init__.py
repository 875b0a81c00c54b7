"""The cases service: cases, their parties and their history, versioned and sealed."""
