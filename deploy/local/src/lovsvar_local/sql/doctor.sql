-- name: size_and_roles
-- How many bytes the database takes, and whether the role for services that only read is there.
SELECT pg_database_size(current_database()) AS size,
    EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_reader') AS has_reader;

-- name: corpus_version
-- The version that is stored.
SELECT version FROM corpus;
