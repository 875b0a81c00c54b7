-- Questions in everyday words, tied to the provisions that answer them, and vectors of them beside those of passages.

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

ALTER TABLE embeddings
    ADD COLUMN kind text NOT NULL DEFAULT 'passage' CHECK (kind IN ('passage', 'question'));
COMMENT ON COLUMN embeddings.kind IS 'What the vector is of. Questions are embedded as what is asked, passages as what answers.';
COMMENT ON TABLE embeddings IS
    'Each model has, for each kind, a partial HNSW index over (embedding::halfvec(dimensions)) for cosine distance.';
COMMENT ON TABLE embedding_requests IS 'Passages and questions that workers were asked to embed and have not yet.';
COMMENT ON COLUMN embedding_models.completed_at IS
    'When every passage and question first had a vector. Vectors of earlier models are deleted then.';

-- Vectors that are stored stay; their index is made anew. In memory, and in this process alone: parallel workers share
-- memory of which containers have little.
SET LOCAL maintenance_work_mem = '256MB';
SET LOCAL max_parallel_maintenance_workers = 0;
DO $$
DECLARE
    m embedding_models;
    k text;
BEGIN
    FOR m IN SELECT * FROM embedding_models WHERE dimensions IS NOT NULL LOOP
        EXECUTE format('DROP INDEX IF EXISTS %I', 'embeddings_' || left(md5(m.model), 12));
        CONTINUE WHEN m.dimensions > 4000;
        FOREACH k IN ARRAY ARRAY['passage', 'question'] LOOP
            EXECUTE format(
                'CREATE INDEX %I ON embeddings USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)'
                ' WHERE model = %L AND kind = %L',
                'embeddings_' || left(md5(m.model), 12) || '_' || k, m.dimensions, m.model, k
            );
        END LOOP;
    END LOOP;
END
$$;
