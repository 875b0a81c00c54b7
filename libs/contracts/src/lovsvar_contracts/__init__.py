"""The messages between Lovsvar's services; the package's README lists the modules.

Contracts evolve by adding optional fields; readers ignore fields and kinds of blocks that they do not know.
"""
