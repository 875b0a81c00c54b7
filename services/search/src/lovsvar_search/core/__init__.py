"""What search knows: retrieval of any collection, the law as one, and the errors of both."""
