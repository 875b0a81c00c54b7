-- The logins of the services: ingest owns the schema, search can only read, cases owns a schema of its own that no other reads. May be run again, with new passwords.
-- Run by psql as a superuser in the database of Lovsvar, before ingest's first migration; the image of PostgreSQL does so when
-- it makes a new cluster. The variables of the environment that are read here name the files with the passwords.

\set ON_ERROR_STOP on
\set ingest_password `cat "$LOVSVAR_INGEST_PASSWORD_FILE"`
\set search_password `cat "$LOVSVAR_SEARCH_PASSWORD_FILE"`
\set cases_password `cat "$LOVSVAR_CASES_PASSWORD_FILE"`

CREATE EXTENSION IF NOT EXISTS vector;  -- which no other may make

SELECT 'CREATE ROLE lovsvar_reader NOLOGIN'
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_reader') \gexec
SELECT 'CREATE ROLE lovsvar_ingest' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_ingest') \gexec
SELECT 'CREATE ROLE lovsvar_search' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_search') \gexec
SELECT 'CREATE ROLE lovsvar_cases' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_cases') \gexec

SET password_encryption = 'scram-sha-256';
ALTER ROLE lovsvar_ingest LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'ingest_password';
ALTER ROLE lovsvar_search LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'search_password';
ALTER ROLE lovsvar_cases LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'cases_password';
ALTER ROLE lovsvar_search SET default_transaction_read_only = on;
GRANT lovsvar_reader TO lovsvar_search;

SELECT format('ALTER DATABASE %I OWNER TO lovsvar_ingest', current_database()) \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO lovsvar_reader', current_database()) \gexec
ALTER SCHEMA public OWNER TO lovsvar_ingest;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO lovsvar_reader;
CREATE SCHEMA IF NOT EXISTS cases AUTHORIZATION lovsvar_cases;
SELECT format('GRANT CONNECT ON DATABASE %I TO lovsvar_cases', current_database()) \gexec
