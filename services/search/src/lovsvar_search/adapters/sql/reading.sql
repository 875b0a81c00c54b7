-- name: read_provisions
-- Provisions by name, in the order asked. $1 refids, $2 section keys, pairwise
SELECT asked.n, s.refid, s.section_key, s.section, s.value, s.title, s.kind, s.path, s.position, s.text,
    s.blocks::text AS blocks, s.notes, s.footnotes, s.refs, s.in_force, s.in_force_from, s.content_hash, s.tokens,
    d.title AS document_title, d.short_title, d.law_type, d.dataset,
    d.in_force AS document_in_force, d.in_force_from AS document_in_force_from
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (refid, section_key, n)
JOIN sections AS s USING (refid, section_key)
JOIN documents AS d ON d.refid = s.refid
WHERE s.removed_at IS NULL AND d.removed_at IS NULL
ORDER BY asked.n;

-- name: existing_sections
-- Which of these sections exist. $1 refids, $2 section keys, pairwise
SELECT s.refid, s.section_key, s.section, s.value, s.title
FROM unnest($1::text[], $2::text[]) AS asked (refid, section_key)
JOIN sections AS s USING (refid, section_key)
JOIN documents AS d ON d.refid = s.refid
WHERE s.removed_at IS NULL AND d.removed_at IS NULL;

-- name: summary
-- A document without its provisions. $1 refid
SELECT d.*, (
    SELECT count(*) FROM sections AS s
    WHERE s.refid = d.refid AND s.kind = 'provision' AND s.removed_at IS NULL
) AS provisions
FROM documents AS d
WHERE d.refid = $1 AND d.removed_at IS NULL;

-- name: divisions
-- A document's divisions in reading order. $1 refid
SELECT position, parent, kind, name, title
FROM structures
WHERE refid = $1
ORDER BY position;

-- name: outline_sections
-- A document's sections in reading order, without their text. $1 refid
SELECT structure, section, value, title, tokens
FROM sections
WHERE refid = $1 AND removed_at IS NULL
ORDER BY position;

-- name: document_page
-- Sections after a position, in reading order, as long as they fit and at least one.
-- $1 refid, $2 position, $3 bytes, $4 bytes that a section costs besides its texts
WITH sized AS (
    SELECT s.*, s.blocks::text AS blocks_text,
        sum(octet_length(s.text) + octet_length(s.blocks::text) + $4) OVER (ORDER BY s.position) AS bytes,
        row_number() OVER (ORDER BY s.position) AS n
    FROM sections AS s
    WHERE s.refid = $1 AND s.position > $2 AND s.removed_at IS NULL
    ORDER BY s.position
    LIMIT 500
)
SELECT s.refid, s.section_key, s.section, s.value, s.title, s.kind, s.path, s.position, s.text,
    s.blocks_text AS blocks, s.notes, s.footnotes, s.refs, s.in_force, s.in_force_from, s.content_hash, s.tokens,
    d.title AS document_title, d.short_title, d.law_type, d.dataset,
    d.in_force AS document_in_force, d.in_force_from AS document_in_force_from
FROM sized AS s
JOIN documents AS d USING (refid)
WHERE s.bytes <= $3 OR s.n = 1
ORDER BY s.position;

-- name: list_documents
-- A page of documents by refid with the count of all.
-- $1 law type, $2 year, $3 part of a ministry's name, $4 part of a title, $5 a document that they amend (then the newest
-- come first), $6 limit, $7 offset; NULL is no demand
WITH matching AS (
    SELECT refid, count(*) OVER () AS total
    FROM documents AS d
    WHERE d.removed_at IS NULL
        AND ($1::text IS NULL OR d.law_type = $1)
        AND ($2::integer IS NULL OR d.year = $2)
        AND ($3::text IS NULL OR EXISTS (
            SELECT FROM unnest(d.ministries) AS m WHERE strpos(lower(m), lower($3)) > 0
        ))
        AND ($4::text IS NULL OR strpos(lower(d.title), lower($4)) > 0 OR strpos(lower(d.short_title), lower($4)) > 0)
        AND ($5::text IS NULL OR d.changes_to @> ARRAY[$5])
    ORDER BY CASE WHEN $5::text IS NULL THEN NULL ELSE substring(refid FROM '[0-9].*') END DESC NULLS LAST, refid
    LIMIT $6 OFFSET $7
)
SELECT d.*, m.total, (
    SELECT count(*) FROM sections AS s
    WHERE s.refid = d.refid AND s.kind = 'provision' AND s.removed_at IS NULL
) AS provisions
FROM matching AS m
JOIN documents AS d USING (refid)
ORDER BY CASE WHEN $5::text IS NULL THEN NULL ELSE substring(d.refid FROM '[0-9].*') END DESC NULLS LAST, d.refid;

-- name: state_counted
-- The version and its date, and when a document was stored last: while these stand, so do the counts.
SELECT c.version, c.corpus_date, (SELECT max(stored_at) FROM documents) AS stored_at
FROM corpus AS c;

-- name: count_provisions
-- How many provisions are served. Reads every section: some tens of milliseconds for the whole corpus.
SELECT count(*) AS provisions
FROM sections AS s JOIN documents AS d USING (refid)
WHERE s.kind = 'provision' AND s.removed_at IS NULL AND d.removed_at IS NULL;

-- name: archives
-- Which archive each data set was last made equal to. The day of its contents is read past the schema, since a database
-- that has not been migrated yet has none.
SELECT dataset, source, checksum, stored_at, (to_jsonb(a) ->> 'published')::date AS published
FROM archives AS a
ORDER BY dataset;

-- name: count_documents
-- Documents served by law type and data set.
SELECT law_type, dataset, count(*) AS documents
FROM documents
WHERE removed_at IS NULL
GROUP BY law_type, dataset;

-- name: count_embedded
-- How many provisions are searched by vectors.
SELECT count(*) AS embedded FROM embedded_provisions;

-- name: become_reader
-- Take on the role that reads every table and writes none; it is not there before the first migration.
SELECT set_config('role', 'lovsvar_reader', false)
FROM pg_roles
WHERE rolname = 'lovsvar_reader' AND pg_has_role(current_user, oid, 'MEMBER');

-- name: plan_for_arguments
-- Until the transaction ends, queries are planned for their arguments, each time. No parameters
SET LOCAL plan_cache_mode = force_custom_plan;

-- name: allow_time
-- Until the transaction ends, statements may take this long. $1 milliseconds
SELECT set_config('statement_timeout', $1, true);
