-- name: try_hold_planning
-- Holds the planning of embeddings against other processes until the connection ends. No parameters
SELECT pg_try_advisory_lock(hashtextextended('lovsvar.embedding', 0));

-- name: begin_model
-- Makes a model the one that is built; returns a row only when another was before, or none. $1 model
INSERT INTO embedding_models AS m (model) VALUES ($1)
ON CONFLICT (model) DO UPDATE SET started_at = now()
WHERE EXISTS (SELECT FROM embedding_models AS later WHERE later.started_at > m.started_at)
RETURNING model;

-- name: uncut_documents
-- Documents that changed since they were cut into passages, the latest first. $1 chunker version, $2 how many
SELECT d.refid, d.content_hash, coalesce(nullif(d.short_title, ''), d.title) AS act
FROM documents AS d
LEFT JOIN passage_cuts AS c USING (refid)
WHERE d.removed_at IS NULL AND d.corpus_version IS NOT NULL
    AND (c.content_hash, c.cutting) IS DISTINCT FROM (d.content_hash, $1)
ORDER BY d.stored_at::date DESC, d.law_type <> 'lov', d.refid
LIMIT $2;

-- name: sections_to_cut
-- Sections with text. $1 refids
SELECT refid, section_key, value, title, path, blocks::text AS blocks
FROM sections
WHERE refid = ANY($1) AND removed_at IS NULL AND text <> ''
ORDER BY refid, position;

-- name: drop_passages
-- Deletes the passages of documents. $1 refids
DELETE FROM passages WHERE refid = ANY($1);

-- name: note_cuts
-- Notes that documents were cut. $1 refids, $2 content hashes, pairwise, $3 chunker version
INSERT INTO passage_cuts (refid, content_hash, cutting)
SELECT refid, content_hash, $3 FROM unnest($1::text[], $2::text[]) AS cut (refid, content_hash)
ON CONFLICT (refid) DO UPDATE SET content_hash = excluded.content_hash, cutting = excluded.cutting;

-- name: drop_removed_documents
-- Deletes the passages of documents that are no longer served. No parameters
WITH gone AS (
    DELETE FROM passage_cuts AS c USING documents AS d
    WHERE d.refid = c.refid AND d.removed_at IS NOT NULL
    RETURNING c.refid
)
DELETE FROM passages WHERE refid IN (SELECT refid FROM gone);

-- name: missing_questions
-- Everyday questions about live provisions without a vector that nobody was asked to embed, short before long.
-- $1 model, $2 how many
SELECT q.content_hash
FROM everyday_questions AS q
JOIN sections AS s USING (refid, section_key)
JOIN documents AS d USING (refid)
WHERE s.removed_at IS NULL AND d.removed_at IS NULL AND d.corpus_version IS NOT NULL
    AND NOT EXISTS (SELECT FROM embeddings AS e WHERE e.model = $1 AND e.content_hash = q.content_hash)
    AND NOT EXISTS (SELECT FROM embedding_requests AS r WHERE r.model = $1 AND r.content_hash = q.content_hash)
GROUP BY q.content_hash
ORDER BY min(length(q.question)), q.content_hash
LIMIT $2;

-- name: missing_passages
-- Texts without a vector that nobody was asked to embed: stored last first (by day), then the provisions that most
-- everyday questions ask about, then the first passage of each before the others, then laws, regulations, the rest in
-- the order of law types, then short before long. $1 model, $2 law types in order, $3 how many
SELECT p.content_hash
FROM passages AS p
JOIN documents AS d USING (refid)
LEFT JOIN (
    SELECT refid, section_key, count(*) AS questions FROM everyday_questions GROUP BY refid, section_key
) AS asked USING (refid, section_key)
WHERE NOT EXISTS (SELECT FROM embeddings AS e WHERE e.model = $1 AND e.content_hash = p.content_hash)
    AND NOT EXISTS (SELECT FROM embedding_requests AS r WHERE r.model = $1 AND r.content_hash = p.content_hash)
GROUP BY p.content_hash
ORDER BY
    max(d.stored_at::date) DESC, max(coalesce(asked.questions, 0)) DESC, min(p.number) > 0,
    min(array_position($2::text[], d.law_type)), min(p.characters), p.content_hash
LIMIT $3;

-- name: missing_products
-- Texts of products without a vector that nobody was asked to embed: names with descriptions before problems, short
-- before long. $1 model, $2 how many
SELECT p.content_hash
FROM product_passages AS p
WHERE NOT EXISTS (SELECT FROM embeddings AS e WHERE e.model = $1 AND e.content_hash = p.content_hash)
    AND NOT EXISTS (SELECT FROM embedding_requests AS r WHERE r.model = $1 AND r.content_hash = p.content_hash)
GROUP BY p.content_hash
ORDER BY min(p.number) > 0, min(length(p.text)), p.content_hash
LIMIT $2;

-- name: law_is_done
-- Whether a model is not complete, and no text of the law, of which there is some, waits for an answer. $1 model
SELECT NOT EXISTS (
    SELECT FROM embedding_requests AS r
    WHERE r.model = $1 AND r.refused IS NULL
        AND NOT EXISTS (SELECT FROM product_passages AS p WHERE p.content_hash = r.content_hash)
)
FROM embedding_models
WHERE model = $1 AND completed_at IS NULL AND EXISTS (SELECT FROM passages);

-- name: note_requests
-- Notes that texts are asked for. $1 model, $2 content hashes
INSERT INTO embedding_requests (model, content_hash) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING;

-- name: forget_requests
-- Forgets what was asked for, but for what was refused with this model. $1 model
DELETE FROM embedding_requests WHERE refused IS NULL OR model <> $1;

-- name: complete_model
-- Notes that every text of the law has a vector, once there are passages; returns a row unless there is no vector at
-- all. $1 model
UPDATE embedding_models
SET completed_at = coalesce(completed_at, CASE WHEN EXISTS (SELECT FROM passages) THEN now() END)
WHERE model = $1 AND dimensions IS NOT NULL
RETURNING model;

-- name: make_drop_earlier_indexes
-- Statements that drop the indexes of the models begun before this one. $1 model
SELECT format('DROP INDEX IF EXISTS %I', 'embeddings_' || left(md5(m.model), 12) || '_' || kind)
FROM embedding_models AS m, unnest(ARRAY['passage', 'question']) AS kind
WHERE m.started_at < (SELECT started_at FROM embedding_models WHERE model = $1);

-- name: drop_earlier_models
-- Deletes the models begun before this one, with their vectors. $1 model
DELETE FROM embedding_models AS m
WHERE m.started_at < (SELECT started_at FROM embedding_models WHERE model = $1);

-- name: drop_orphans
-- Deletes vectors and refusals of texts that no passage, question or product has any longer. No parameters
WITH refusals AS (
    DELETE FROM embedding_requests AS r
    WHERE NOT EXISTS (SELECT FROM passages AS p WHERE p.content_hash = r.content_hash)
        AND NOT EXISTS (SELECT FROM everyday_questions AS q WHERE q.content_hash = r.content_hash)
        AND NOT EXISTS (SELECT FROM product_passages AS p WHERE p.content_hash = r.content_hash)
)
DELETE FROM embeddings AS e
WHERE
    (e.kind = 'passage' AND NOT EXISTS (SELECT FROM passages AS p WHERE p.content_hash = e.content_hash))
    OR (
        e.kind = 'question'
        AND NOT EXISTS (SELECT FROM everyday_questions AS q WHERE q.content_hash = e.content_hash)
    )
    OR (e.kind = 'product' AND NOT EXISTS (SELECT FROM product_passages AS p WHERE p.content_hash = e.content_hash));

-- name: unembedded
-- Which of these texts have no vector. $1 model, $2 content hashes
SELECT asked.content_hash
FROM unnest($2::text[]) WITH ORDINALITY AS asked (content_hash, n)
WHERE NOT EXISTS (SELECT FROM embeddings AS e WHERE e.model = $1 AND e.content_hash = asked.content_hash)
ORDER BY asked.n;

-- name: questions_by_hash
-- Those of these texts that are everyday questions. $1 content hashes
SELECT content_hash, question FROM everyday_questions WHERE content_hash = ANY($1) AND rank = 0;

-- name: products_by_hash
-- Those of these texts that are products'. What is a problem of one and all that another says of itself is the latter.
-- $1 content hashes, $2 whether problems are asked for, or else names and descriptions
SELECT content_hash, min(text) AS text
FROM product_passages
WHERE content_hash = ANY($1)
GROUP BY content_hash
HAVING (min(number) > 0) = $2;

-- name: sections_of_passages
-- Sections to cut these texts from, one for each text. $1 content hashes
SELECT s.refid, s.section_key, s.value, s.title, s.path, s.blocks::text AS blocks,
    coalesce(nullif(d.short_title, ''), d.title) AS act
FROM (
    SELECT DISTINCT refid, section_key
    FROM (
        SELECT DISTINCT ON (content_hash) refid, section_key
        FROM passages
        WHERE content_hash = ANY($1)
        ORDER BY content_hash, refid, section_key
    ) AS one_for_each
) AS chosen
JOIN sections AS s USING (refid, section_key)
JOIN documents AS d USING (refid);

-- name: set_dimensions
-- Notes the dimensions of a model's first vector; returns a row only then. $1 model, $2 dimensions
UPDATE embedding_models SET dimensions = $2 WHERE model = $1 AND dimensions IS NULL RETURNING model;

-- name: make_indexes
-- The statements that make a model's indexes that are not there; no row when the vectors are too long for one.
-- With few neighbours a search looks at few vectors; that they are chosen with care makes up for it.
-- $1 model, $2 dimensions
SELECT format(
    'CREATE INDEX IF NOT EXISTS %I ON embeddings USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)'
    ' WITH (m = 10, ef_construction = 256) WHERE model = %L AND kind = %L', name, $2::integer, $1::text, kind
)
FROM unnest(ARRAY['passage', 'question']) AS kind,
    LATERAL (SELECT 'embeddings_' || left(md5($1), 12) || '_' || kind) AS index (name)
WHERE $2 <= 4000 AND to_regclass(name) IS NULL;

-- name: store_vectors
-- Stores vectors of a model that is known. $1 model, $2 kind, $3 content hashes, $4 vectors, pairwise
INSERT INTO embeddings (model, kind, content_hash, embedding)
SELECT m.model, $2, v.content_hash, v.embedding
FROM embedding_models AS m, unnest($3::text[], $4::halfvec[]) AS v (content_hash, embedding)
WHERE m.model = $1
ON CONFLICT DO NOTHING;

-- name: answer_requests
-- Forgets that texts were asked for. $1 model, $2 content hashes
DELETE FROM embedding_requests WHERE model = $1 AND content_hash = ANY($2);

-- name: note_refusals
-- Notes why texts are not embedded. $1 model, $2 content hashes, $3 reasons, pairwise
INSERT INTO embedding_requests (model, content_hash, refused)
SELECT $1, content_hash, reason FROM unnest($2::text[], $3::text[]) AS refusal (content_hash, reason)
ON CONFLICT (model, content_hash) DO UPDATE SET refused = excluded.refused;
