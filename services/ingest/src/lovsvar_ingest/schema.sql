-- The whole schema, as the migrations make it: for reading, and for the test that compares the two.

CREATE TABLE corpus (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version bigint NOT NULL DEFAULT 0,
    corpus_date date,
    changed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE corpus IS 'One row. version rises with each sync that changed something.';
INSERT INTO corpus DEFAULT VALUES;

CREATE TABLE documents (
    refid text PRIMARY KEY,
    legacy_id text NOT NULL,
    dokid text NOT NULL,
    dataset text NOT NULL,
    source_file text NOT NULL,
    law_type text NOT NULL,
    title text NOT NULL,
    short_title text NOT NULL,
    abbreviation text NOT NULL,
    year integer NOT NULL,
    ministries text[] NOT NULL,
    legal_areas text[] NOT NULL,
    changes_to text[] NOT NULL DEFAULT '{}',
    in_force text NOT NULL,
    in_force_from date,
    in_force_note text NOT NULL,
    last_change_in_force date,
    content_hash text NOT NULL,
    corpus_version bigint,
    stored_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz,
    last_changed_by text[] NOT NULL DEFAULT '{}',
    eea_references text[] NOT NULL DEFAULT '{}'
);
COMMENT ON COLUMN documents.corpus_version IS
    'Version in which the document last changed; NULL while the sync that changed it is under way.';
COMMENT ON COLUMN documents.changes_to IS 'Refids of the documents that this one amends or repeals.';
COMMENT ON COLUMN documents.last_changed_by IS 'Refids of what amended the document last.';
COMMENT ON COLUMN documents.eea_references IS 'The places in the EEA agreement, and the EU acts there, in Lovdata''s words.';
COMMENT ON COLUMN documents.removed_at IS 'Set when the document left its archive; it is then no longer served.';
CREATE INDEX documents_corpus_version ON documents (corpus_version);
CREATE INDEX documents_dataset ON documents (dataset);
CREATE INDEX documents_changes_to ON documents USING gin (changes_to);

CREATE TABLE structures (
    refid text NOT NULL REFERENCES documents ON DELETE CASCADE,
    position integer NOT NULL,
    parent integer,
    kind text NOT NULL,
    name text NOT NULL,
    title text NOT NULL,
    before integer NOT NULL DEFAULT 0,
    notes text[] NOT NULL DEFAULT '{}',
    footnotes text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (refid, position)
);
COMMENT ON TABLE structures IS 'Divisions (del, kapittel, avsnitt, vedlegg); parent is the position of the enclosing one.';

COMMENT ON COLUMN structures.before IS 'position of the section that follows the heading in reading order.';

CREATE TABLE sections (
    refid text NOT NULL REFERENCES documents ON DELETE CASCADE,
    section_key text NOT NULL,
    section text NOT NULL,
    position integer NOT NULL,
    structure integer,
    kind text NOT NULL,
    value text NOT NULL,
    title text NOT NULL,
    path text[] NOT NULL,
    text text NOT NULL,
    blocks jsonb NOT NULL,
    notes text[] NOT NULL,
    footnotes text[] NOT NULL,
    refs text[] NOT NULL DEFAULT '{}',
    in_force text NOT NULL,
    in_force_from date,
    content_hash text NOT NULL,
    tokens integer NOT NULL,
    removed_at timestamptz,
    PRIMARY KEY (refid, section_key)
);
COMMENT ON COLUMN sections.section_key IS 'section without white space and case, as names are compared.';
COMMENT ON COLUMN sections.refs IS 'What the text links to, as Lovdata writes it: lov/1999-03-26-17/§3-5/ledd/1.';
COMMENT ON COLUMN sections.structure IS 'position of the innermost division that holds the section.';
CREATE INDEX sections_reading_order ON sections (refid, position);
CREATE INDEX sections_live ON sections (refid, section_key) INCLUDE (in_force_from) WHERE removed_at IS NULL;

CREATE TABLE syncs (
    sync_id text PRIMARY KEY,
    dataset text NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    completed jsonb,
    detail text NOT NULL DEFAULT ''
);
CREATE INDEX syncs_dataset ON syncs (dataset, started_at DESC);
COMMENT ON COLUMN syncs.status IS 'running, completed or failed.';
COMMENT ON COLUMN syncs.completed IS 'The event SyncCompleted, once it ended well.';

CREATE TABLE archives (
    dataset text PRIMARY KEY,
    checksum text NOT NULL,
    reading integer NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    source text NOT NULL DEFAULT '',
    etag text NOT NULL DEFAULT '',
    last_modified text NOT NULL DEFAULT '',
    reread date,
    published date
);
COMMENT ON TABLE archives IS 'The archive that each data set was last made equal to, and in which way it was read.';
COMMENT ON COLUMN archives.published IS 'The day of the archive''s contents; NULL where it has none.';
COMMENT ON COLUMN archives.etag IS 'As the server at source gave it; so is last_modified.';
COMMENT ON COLUMN archives.reread IS
    'From this day on the archive reads otherwise, since a date in it has come; NULL when none is to come.';

CREATE TABLE everyday_questions (
    content_hash text NOT NULL,
    rank smallint NOT NULL,
    question text NOT NULL,
    lang text NOT NULL,
    refid text NOT NULL,
    section_key text NOT NULL,
    PRIMARY KEY (content_hash, rank)
);
COMMENT ON TABLE everyday_questions IS
    'One row for a question and a provision that answers it, as the package brings them. A provision need not be stored (yet).';
COMMENT ON COLUMN everyday_questions.content_hash IS 'SHA-256 of the question: its vector is found by it.';
COMMENT ON COLUMN everyday_questions.rank IS 'From 0, the provision that answers best.';
CREATE INDEX everyday_questions_provision ON everyday_questions (refid, section_key);

CREATE TABLE everyday_data (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    checksum text NOT NULL,
    loaded_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE everyday_data IS 'At most one row: which everyday questions are stored.';

CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE passage_cuts (
    refid text PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    content_hash text NOT NULL,
    cutting integer NOT NULL
);
COMMENT ON TABLE passage_cuts IS 'The documents that were cut into passages: as of which content, by which rules.';

CREATE TABLE passages (
    refid text NOT NULL,
    section_key text NOT NULL,
    number integer NOT NULL,
    ledd integer,
    content_hash text NOT NULL,
    characters integer NOT NULL,
    PRIMARY KEY (refid, section_key, number),
    FOREIGN KEY (refid, section_key) REFERENCES sections ON DELETE CASCADE
);
COMMENT ON TABLE passages IS 'What is embedded of a section: the whole of it, or its parts. The text itself is cut again from the section.';
COMMENT ON COLUMN passages.ledd IS 'The ledd that the passage is of, from 1; NULL for a whole section and for text outside any ledd.';
COMMENT ON COLUMN passages.content_hash IS 'SHA-256 of what is embedded: a line with act and heading, and the text.';
CREATE INDEX passages_content_hash ON passages (content_hash) INCLUDE (refid, section_key, ledd);

CREATE TABLE embedding_models (
    model text PRIMARY KEY,
    dimensions integer,
    started_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz
);
COMMENT ON COLUMN embedding_models.dimensions IS 'Known once the first vector is stored; the index of the model is made then.';
COMMENT ON COLUMN embedding_models.completed_at IS
    'When every passage and question first had a vector. Vectors of earlier models are deleted then.';

CREATE TABLE embeddings (
    model text NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
    content_hash text NOT NULL,
    embedding halfvec NOT NULL,
    kind text NOT NULL DEFAULT 'passage' CHECK (kind IN ('passage', 'question', 'product')),
    PRIMARY KEY (model, content_hash)
);
COMMENT ON COLUMN embeddings.kind IS 'What the vector is of. Questions are embedded as what is asked, passages as what answers.';
COMMENT ON TABLE embeddings IS
    'Each model has, for each kind, a partial HNSW index over (embedding::halfvec(dimensions)) for cosine distance.';
-- Fewer than there are: a join is then reckoned by the values of the other table, as one kind alone has to be.
ALTER TABLE embeddings ALTER COLUMN content_hash SET (n_distinct = 1000);

CREATE TABLE embedding_requests (
    model text NOT NULL,
    content_hash text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    refused text,
    PRIMARY KEY (model, content_hash)
);
COMMENT ON TABLE embedding_requests IS 'Passages and questions that workers were asked to embed and have not yet.';
COMMENT ON COLUMN embedding_requests.refused IS 'Why the embedder does not take the text, which is then not asked for again.';

CREATE VIEW serving_model AS
SELECT m.model, m.dimensions, m.completed_at
FROM (
    SELECT model, dimensions, completed_at, count(*) OVER () > 1 AND max(completed_at) OVER () IS NULL AS by_count
    FROM embedding_models
    WHERE dimensions IS NOT NULL
) AS m
ORDER BY
    m.completed_at DESC NULLS LAST,
    -- Counting a hundred thousand vectors takes tens of milliseconds, so it is done only where it decides.
    CASE WHEN m.by_count THEN (SELECT count(*) FROM embeddings AS e WHERE e.model = m.model) END DESC,
    m.model
LIMIT 1;
COMMENT ON VIEW serving_model IS 'The model to search by: the one completed last, else the one with most vectors. No row before the first vector.';

CREATE VIEW embedded_provisions AS
SELECT s.refid, s.section_key
FROM sections AS s
JOIN documents AS d USING (refid)
JOIN passage_cuts AS c ON c.refid = d.refid AND c.content_hash = d.content_hash
CROSS JOIN serving_model AS m
WHERE s.kind = 'provision' AND s.removed_at IS NULL AND d.removed_at IS NULL
    AND NOT EXISTS (
        SELECT FROM passages AS p
        WHERE p.refid = s.refid AND p.section_key = s.section_key AND NOT EXISTS (
            SELECT FROM embeddings AS e WHERE e.model = m.model AND e.content_hash = p.content_hash
        )
    );
COMMENT ON VIEW embedded_provisions IS 'Live provisions of which every passage, as of the text that is stored, has a vector of the serving model.';

CREATE TABLE document_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    refid text NOT NULL,
    dataset text NOT NULL,
    change text NOT NULL CHECK (change IN ('added', 'changed', 'removed')),
    sections text[] NOT NULL DEFAULT '{}',
    corpus_version integer
);
CREATE UNIQUE INDEX document_changes_pending ON document_changes (refid) WHERE corpus_version IS NULL;
COMMENT ON TABLE document_changes IS 'Changes of documents that are pending (no version) or not published yet.';

CREATE TABLE catalogues (
    catalogue text PRIMARY KEY,
    name text NOT NULL,
    language text NOT NULL,
    definition jsonb NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    synced_at timestamptz,
    removed_at timestamptz,
    source text NOT NULL,
    reading text NOT NULL DEFAULT '',
    checksum text NOT NULL DEFAULT '',
    etag text NOT NULL DEFAULT '',
    last_modified text NOT NULL DEFAULT ''
);
COMMENT ON TABLE catalogues IS 'version rises with each sync that changed an item or the definition, from one sequence for all.';
COMMENT ON COLUMN catalogues.definition IS 'The rest of the catalogue''s file: weights, link hosts, offer, words for no price.';
COMMENT ON COLUMN catalogues.removed_at IS 'Set when the catalogue is no longer listed; it is then not served.';
COMMENT ON COLUMN catalogues.source IS 'The listed folder or address that the catalogue''s file is in.';
COMMENT ON COLUMN catalogues.reading IS 'Hash of the catalogue''s file and of how items are read; the same items are read again when it differs.';
COMMENT ON COLUMN catalogues.checksum IS 'SHA-256 of the items that are stored. etag and last_modified are what their server said of them.';

CREATE SEQUENCE catalogue_versions;

CREATE TABLE products (
    catalogue text NOT NULL REFERENCES catalogues ON DELETE CASCADE,
    product_id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    price text NOT NULL,
    amount double precision,
    url text NOT NULL,
    category text NOT NULL,
    problems text[] NOT NULL,
    attributes jsonb NOT NULL,
    content_hash text NOT NULL,
    version bigint NOT NULL,
    removed_at timestamptz,
    PRIMARY KEY (catalogue, product_id)
);
COMMENT ON COLUMN products.version IS 'Version of the catalogue in which the item last changed or was removed.';
CREATE INDEX products_version ON products (catalogue, version);

CREATE TABLE product_passages (
    catalogue text NOT NULL,
    product_id text NOT NULL,
    number integer NOT NULL,
    content_hash text NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (catalogue, product_id, number),
    FOREIGN KEY (catalogue, product_id) REFERENCES products ON DELETE CASCADE
);
COMMENT ON TABLE product_passages IS 'What is embedded of an item: 0 is name and description, the others its problems, as questions.';
COMMENT ON COLUMN product_passages.content_hash IS
    'Hash of the text that no passage or question of the law has; its vector is in embeddings, of kind product.';
CREATE INDEX product_passages_content_hash ON product_passages (content_hash);

CREATE TABLE schema_migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- The role for services that only read.
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

-- The role by which a model asks in SQL.
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
