-- Passages of the law's text, and their embeddings by model.

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
CREATE INDEX passages_content_hash ON passages (content_hash);

CREATE TABLE embedding_models (
    model text PRIMARY KEY,
    dimensions integer,
    started_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz
);
COMMENT ON COLUMN embedding_models.dimensions IS 'Known once the first vector is stored; the index of the model is made then.';
COMMENT ON COLUMN embedding_models.completed_at IS 'When every passage first had a vector. Vectors of earlier models are deleted then.';

CREATE TABLE embeddings (
    model text NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
    content_hash text NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (model, content_hash)
);
COMMENT ON TABLE embeddings IS
    'Each model has a partial HNSW index over (embedding::halfvec(dimensions)) for cosine distance.';

CREATE TABLE embedding_requests (
    model text NOT NULL,
    content_hash text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    refused text,
    PRIMARY KEY (model, content_hash)
);
COMMENT ON TABLE embedding_requests IS 'Passages that workers were asked to embed and have not yet.';
COMMENT ON COLUMN embedding_requests.refused IS 'Why the embedder does not take the text, which is then not asked for again.';

CREATE VIEW serving_model AS
SELECT m.model, m.dimensions, m.completed_at
FROM embedding_models AS m
WHERE m.dimensions IS NOT NULL
ORDER BY
    m.completed_at DESC NULLS LAST, (SELECT count(*) FROM embeddings AS e WHERE e.model = m.model) DESC, m.model
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
