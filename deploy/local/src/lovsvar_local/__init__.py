"""All of Lovsvar on one machine, and the `lovsvar` command."""
