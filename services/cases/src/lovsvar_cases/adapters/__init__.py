"""PostgreSQL, keys, and the files that the service is shipped with."""
