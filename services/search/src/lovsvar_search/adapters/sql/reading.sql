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
-- A page of documents by refid, or by title, with the count of all.
-- $1 law type, $2 year, $3 part of a ministry's name, $4 part of a title, $5 a document that they amend (then the newest
-- come first), $6 series, $7 a legal area or the first part of one, $8 first letter of the title, $9 whether by title,
-- $10 limit, $11 offset; NULL is no demand
WITH matching AS (
    SELECT d.refid, count(*) OVER () AS total, row_number() OVER (
        ORDER BY CASE WHEN $5::text IS NULL THEN NULL ELSE substring(d.refid FROM '[0-9].*') END DESC NULLS LAST,
            CASE WHEN $9::boolean THEN t.key COLLATE "C" END, d.refid
    ) AS place
    FROM documents AS d
    CROSS JOIN LATERAL (
        -- In the alphabet æ, ø and å follow z, as these signs do in ASCII.
        SELECT translate(lower(ltrim(coalesce(nullif(d.short_title, ''), d.title), ' «"(')), 'æøå', '{|}') AS key
    ) AS t
    WHERE d.removed_at IS NULL
        AND ($1::text IS NULL OR d.law_type = $1)
        AND ($2::integer IS NULL OR d.year = $2)
        AND ($3::text IS NULL OR EXISTS (
            SELECT FROM unnest(d.ministries) AS m WHERE strpos(lower(m), lower($3)) > 0
        ))
        AND ($4::text IS NULL OR strpos(lower(d.title), lower($4)) > 0 OR strpos(lower(d.short_title), lower($4)) > 0)
        AND ($5::text IS NULL OR d.changes_to @> ARRAY[$5])
        AND ($6::text IS NULL OR starts_with(d.refid, $6 || '/'))
        AND ($7::text IS NULL OR EXISTS (
            SELECT FROM unnest(d.legal_areas) AS a WHERE a = $7 OR starts_with(a, $7 || ' > ')
        ))
        AND ($8::text IS NULL OR CASE WHEN $8 = '#' THEN t.key !~ '^[a-z{|}]'
            ELSE starts_with(t.key, translate(lower($8), 'æøå', '{|}')) END)
    ORDER BY place
    LIMIT $10 OFFSET $11
)
SELECT d.*, m.total, (
    SELECT count(*) FROM sections AS s
    WHERE s.refid = d.refid AND s.kind = 'provision' AND s.removed_at IS NULL
) AS provisions
FROM matching AS m
JOIN documents AS d USING (refid)
ORDER BY m.place;

-- name: subjects
-- Letters, legal areas (with the areas above them) and ministries of a series, with counts of documents. $1 series
WITH live AS (
    SELECT refid, upper(left(ltrim(coalesce(nullif(short_title, ''), title), ' «"('), 1)) AS letter, legal_areas,
        ministries
    FROM documents
    WHERE removed_at IS NULL AND starts_with(refid, $1 || '/')
)
SELECT s.kind, s.name, count(DISTINCT s.refid) AS documents
FROM (
    SELECT refid, 'letter' AS kind, CASE WHEN letter ~ '[A-ZÆØÅ]' THEN letter ELSE '#' END AS name FROM live
    UNION ALL
    SELECT refid, 'ministry', unnest(ministries) FROM live
    UNION ALL
    SELECT refid, 'legal_area', unnest(legal_areas) FROM live
    UNION ALL
    SELECT refid, 'legal_area', split_part(unnest(legal_areas), ' > ', 1) FROM live
) AS s
GROUP BY s.kind, s.name
ORDER BY s.kind, translate(lower(s.name), 'æøå', '{|}') COLLATE "C";

-- name: links_to
-- The law's own links to a document from others, as they are written. $1 refid
SELECT s.refid, s.section, s.value, s.title, s.in_force, d.title AS document_title, d.short_title, d.law_type,
    d.in_force AS document_in_force, r.ref
FROM sections AS s
JOIN documents AS d USING (refid)
CROSS JOIN unnest(s.refs) AS r (ref)
WHERE cardinality(s.refs) > 0 AND s.refid <> $1 AND (r.ref = $1 OR starts_with(r.ref, $1 || '/'))
    AND s.removed_at IS NULL AND d.removed_at IS NULL AND NOT starts_with(s.refid, 'lti/')
ORDER BY s.refid, s.position;

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
