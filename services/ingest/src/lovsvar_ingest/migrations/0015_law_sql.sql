-- What a model may ask in SQL: views of the law in a schema of their own, and a role that reads them alone. May be run
-- again, as restoring a backup does. Where the owner of the database may not make roles, deploy/postgres/logins.sql
-- makes this one.

-- The role: its rights and its limits (deploy/postgres/logins.sql has the same).
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

-- What the role sees. Where the owner may make no schema, there is nothing to ask.
DO $$
BEGIN
    IF to_regnamespace('law_sql') IS NULL THEN
        IF NOT has_database_privilege(current_database(), 'CREATE') THEN
            RETURN;
        END IF;
        CREATE SCHEMA law_sql;
    END IF;
    COMMENT ON SCHEMA law_sql IS 'All that queries written by a model can see.';
    REVOKE ALL ON SCHEMA law_sql FROM PUBLIC;

    CREATE OR REPLACE VIEW law_sql.legislation WITH (security_barrier) AS
    SELECT
        s.refid || '/' || s.section AS doc_id,
        s.refid AS document,
        d.law_type AS document_type,
        d.title AS document_title,
        d.short_title,
        d.abbreviation,
        d.year,
        d.ministries,
        d.legal_areas,
        s.section,
        concat_ws(' ', nullif(d.short_title, ''), s.value, nullif(s.title, '')) AS title,
        array_to_string(s.path, ' > ') AS path,
        left(s.text, 300) AS summary,
        s.text AS full_text,
        s.in_force,
        s.in_force_from,
        d.last_change_in_force AS last_changed
    FROM sections AS s
    JOIN documents AS d USING (refid)
    WHERE s.removed_at IS NULL AND d.removed_at IS NULL;
    COMMENT ON VIEW law_sql.legislation IS 'One row for each section of an act or a regulation; summary is the beginning of its text.';

    CREATE OR REPLACE VIEW law_sql.practice WITH (security_barrier) AS
    SELECT
        NULL::text AS doc_id, NULL::text AS court, NULL::date AS decided, NULL::text AS title, NULL::text AS summary,
        NULL::text AS full_text
    WHERE false;
    COMMENT ON VIEW law_sql.practice IS 'Decisions. None are stored: practice is searched for elsewhere when it is asked for.';

    -- The cost of a query as PostgreSQL would carry it out, and what of it is not allowed ('' for nothing). The query is
    -- planned, not run. Before, it must have been prepared, which takes one statement alone.
    CREATE OR REPLACE FUNCTION law_sql.plan_of(query text, OUT cost double precision, OUT refused text)
    LANGUAGE plpgsql SET search_path = law_sql, pg_temp AS $body$
    DECLARE
        plan jsonb;
    BEGIN
        EXECUTE 'EXPLAIN (VERBOSE, FORMAT JSON) ' || query INTO plan;
        cost := (plan #>> '{0,Plan,Total Cost}')::double precision;
        SELECT coalesce(string_agg(DISTINCT concat_ws(' ', node ->> 'Node Type', node ->> 'Relation Name'), ', '), '')
        INTO refused
        FROM jsonb_path_query(plan, 'strict $.** ? (exists (@."Node Type"))') AS node
        WHERE node ->> 'Node Type' NOT IN (
                'Aggregate', 'Append', 'Bitmap Heap Scan', 'Bitmap Index Scan', 'BitmapAnd', 'BitmapOr', 'CTE Scan', 'Group',
                'Hash', 'Hash Join', 'Incremental Sort', 'Index Only Scan', 'Index Scan', 'Limit', 'Materialize', 'Memoize',
                'Merge Append', 'Merge Join', 'Nested Loop', 'Result', 'Seq Scan', 'SetOp', 'Sort', 'Subquery Scan',
                'Unique', 'Values Scan', 'WindowAgg'
            )
            OR (node ? 'Relation Name' AND concat_ws('.', node ->> 'Schema', node ->> 'Relation Name')
                NOT IN ('public.documents', 'public.sections'));
    END
    $body$;

    -- The rows of a query as JSON, until there are `most_rows` or together `most_bytes`; then one row NULL. Being stable, it
    -- runs nothing but what reads. Rows are made one at a time, so that no more than one too large is ever held.
    CREATE OR REPLACE FUNCTION law_sql.rows_of(query text, most_rows integer, most_bytes integer) RETURNS SETOF text
    LANGUAGE plpgsql STABLE SET search_path = law_sql, pg_temp AS $body$
    DECLARE
        asked refcursor;
        found_row record;
        written text;
        bytes integer := 0;
    BEGIN
        OPEN asked NO SCROLL FOR EXECUTE query;
        FOR number IN 0 .. most_rows LOOP
            FETCH asked INTO found_row;
            EXIT WHEN NOT FOUND;
            IF number < most_rows THEN
                written := row_to_json(found_row)::text;
                bytes := bytes + octet_length(written);
            END IF;
            IF number = most_rows OR bytes > most_bytes THEN
                RETURN NEXT NULL;
                EXIT;
            END IF;
            RETURN NEXT written;
        END LOOP;
    END
    $body$;

    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA law_sql FROM PUBLIC;

    -- What every role of a cluster may otherwise do in a new database.
    EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', current_schema());
    IF (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) THEN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_sql') THEN
            EXECUTE format('GRANT CONNECT ON DATABASE %I TO lovsvar_sql', current_database());
        END IF;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_sql') THEN
        GRANT USAGE ON SCHEMA law_sql TO lovsvar_sql;
        GRANT SELECT ON ALL TABLES IN SCHEMA law_sql TO lovsvar_sql;
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA law_sql TO lovsvar_sql;
    END IF;
END
$$;
