"""Norwegian legal language, read and written: pure functions over text, with no corpus of their own and no I/O."""
