-- A role that reads every table and writes none, for services that only read. Where the owner of the database may not
-- make roles and nobody made this one, there is none.

DO $$
DECLARE
    may_create boolean := (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user);
BEGIN
    IF may_create AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_reader') THEN
        BEGIN
            CREATE ROLE lovsvar_reader NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;  -- Roles belong to the cluster: another of its databases was made at the same moment.
        END;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_reader') THEN
        RETURN;
    END IF;
    -- Whoever made a role does not by that take it on.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        BEGIN
            EXECUTE format('GRANT lovsvar_reader TO %I', current_user);
        EXCEPTION WHEN insufficient_privilege THEN
            NULL;  -- Somebody else made the role; whoever is to take it on is told so by them.
        END;
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO lovsvar_reader', current_schema());
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO lovsvar_reader', current_schema());
    EXECUTE format(
        'ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT ON TABLES TO lovsvar_reader', current_schema()
    );
END
$$;
