-- The logins of the services: ingest owns the schema, search can only read, cases owns a schema of its own that no other reads,
-- and by sql it reads what a model may ask about the law. May be run again, with new passwords.
-- Run by psql as a superuser in the database of Lovsvar, before ingest's first migration; the image of PostgreSQL does so when
-- it makes a new cluster. The variables of the environment that are read here name the files with the passwords.

\set ON_ERROR_STOP on
\set ingest_password `cat "$LOVSVAR_INGEST_PASSWORD_FILE"`
\set search_password `cat "$LOVSVAR_SEARCH_PASSWORD_FILE"`
\set cases_password `cat "$LOVSVAR_CASES_PASSWORD_FILE"`
\set sql_password `cat "$LOVSVAR_SQL_PASSWORD_FILE"`

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

-- The role of queries written by a model: its rights and its limits (ingest's migration law_sql has the same).
DO $$
DECLARE
    am record;
    one record;
    others text;
BEGIN
    SELECT rolsuper, rolsuper OR rolcreaterole AS may_create INTO am FROM pg_roles WHERE rolname = current_user;
    IF am.may_create AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_sql' AND rolconfig IS NOT NULL) THEN
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_sql') THEN
                CREATE ROLE lovsvar_sql LOGIN;
            END IF;
            ALTER ROLE lovsvar_sql LOGIN NOINHERIT NOCREATEDB NOCREATEROLE CONNECTION LIMIT 32;
            ALTER ROLE lovsvar_sql SET default_transaction_read_only = on;
            ALTER ROLE lovsvar_sql SET search_path = law_sql, pg_temp;
            ALTER ROLE lovsvar_sql SET statement_timeout = '5s';
            ALTER ROLE lovsvar_sql SET lock_timeout = '500ms';
            ALTER ROLE lovsvar_sql SET idle_in_transaction_session_timeout = '10s';
            ALTER ROLE lovsvar_sql SET work_mem = '16MB';
            ALTER ROLE lovsvar_sql SET hash_mem_multiplier = 1;
            ALTER ROLE lovsvar_sql SET max_parallel_workers_per_gather = 0;
            ALTER ROLE lovsvar_sql SET jit = off;
        EXCEPTION WHEN duplicate_object OR unique_violation OR internal_error THEN
            NULL;  -- Roles belong to the cluster: another of its databases does the same at this moment.
        END;
    END IF;
    IF NOT am.rolsuper THEN
        RETURN;
    END IF;
    BEGIN
        ALTER ROLE lovsvar_sql SET temp_file_limit = '128MB';
    EXCEPTION WHEN internal_error THEN
        NULL;
    END;
    -- Functions that anybody may call and that a query of the law has no use for: they run other queries, wait, hold
    -- locks, change settings, or make a gigabyte of a few letters. Who is here besides keeps them.
    SELECT string_agg(quote_ident(rolname), ', ') INTO others
    FROM pg_roles WHERE NOT rolsuper AND rolname <> 'lovsvar_sql' AND (rolname !~ '^pg_' OR rolname = 'pg_monitor');
    FOR one IN
        SELECT oid::regprocedure AS name FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege('public', oid, 'EXECUTE')
            AND proname ~ ('^(set_config|pg_sleep.*|repeat|lpad|rpad|format|generate_s.*|array_fill|ts_stat|ts_rewrite'
                '|(query|table|schema|database|cursor)_to_xml.*|pg_notify|pg_logical_emit_message|lo_.*|loread|lowrite'
                '|pg_(try_)?advisory_(xact_)?lock.*|pg_(cancel|terminate)_backend|pg_export_snapshot'
                '|pg_current_xact_id|txid_current|pg_stat_get_(activity|backend_.*|progress_info|wal_.*))$')
    LOOP
        EXECUTE format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', one.name);
        EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO %s', one.name, others);
    END LOOP;
END
$$;
ALTER ROLE lovsvar_sql PASSWORD :'sql_password';
SELECT format('GRANT CONNECT ON DATABASE %I TO lovsvar_sql', current_database()) \gexec
