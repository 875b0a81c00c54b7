"""What each command of `lovsvar` does, one module a command."""
