"""What is law: the collection of provisions, and the use cases of finding, reading and resolving them."""
