-- Indexes of vectors with fewer neighbours that are better chosen: a search looks at fewer vectors and misses no
-- more. Vectors stay; searches go by the old index until the new one is there.

-- In memory, and in this process alone: parallel workers share memory of which containers have little.
SET LOCAL maintenance_work_mem = '256MB';
SET LOCAL max_parallel_maintenance_workers = 0;
DO $$
DECLARE
    m embedding_models;
    k text;
    name text;
BEGIN
    FOR m IN SELECT * FROM embedding_models WHERE dimensions <= 4000 LOOP
        FOREACH k IN ARRAY ARRAY['passage', 'question'] LOOP
            name := 'embeddings_' || left(md5(m.model), 12) || '_' || k;
            EXECUTE format(
                'CREATE INDEX %I ON embeddings USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)'
                ' WITH (m = 10, ef_construction = 256) WHERE model = %L AND kind = %L',
                name || '_new', m.dimensions, m.model, k
            );
        END LOOP;
    END LOOP;
    -- Only now, since searches wait from the first that is dropped.
    FOR m IN SELECT * FROM embedding_models WHERE dimensions <= 4000 LOOP
        FOREACH k IN ARRAY ARRAY['passage', 'question'] LOOP
            name := 'embeddings_' || left(md5(m.model), 12) || '_' || k;
            EXECUTE format('DROP INDEX IF EXISTS %I', name);
            EXECUTE format('ALTER INDEX %I RENAME TO %I', name || '_new', name);
        END LOOP;
    END LOOP;
END
$$;
