-- name: known_documents
-- Every document ever stored. No parameters
SELECT refid, content_hash, source_file, dataset, removed_at IS NULL AS live FROM documents;

-- name: extents
-- How many provisions and tokens documents hold; no row for one without sections. $1 refids
SELECT refid, count(*) FILTER (WHERE kind = 'provision') AS provisions, sum(tokens) AS tokens FROM sections
WHERE refid = ANY($1) AND removed_at IS NULL
GROUP BY refid;

-- name: make_incoming
-- Makes the temporary tables that batches are copied into; they are empty again after each transaction.
-- No parameters
CREATE TEMPORARY TABLE IF NOT EXISTS incoming_documents (LIKE documents INCLUDING DEFAULTS) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE IF NOT EXISTS incoming_structures (LIKE structures) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE IF NOT EXISTS incoming_sections (LIKE sections) ON COMMIT DELETE ROWS;

-- name: store_documents
-- Stores the incoming documents, pending. No parameters
INSERT INTO documents (
    refid, legacy_id, dokid, dataset, source_file, law_type, title, short_title, abbreviation, year, ministries,
    legal_areas, changes_to, in_force, in_force_from, in_force_note, last_change_in_force, last_changed_by,
    eea_references, content_hash
)
SELECT
    refid, legacy_id, dokid, dataset, source_file, law_type, title, short_title, abbreviation, year, ministries,
    legal_areas, changes_to, in_force, in_force_from, in_force_note, last_change_in_force, last_changed_by,
    eea_references, content_hash
FROM incoming_documents
ON CONFLICT (refid) DO UPDATE SET
    legacy_id = excluded.legacy_id,
    dokid = excluded.dokid,
    dataset = excluded.dataset,
    source_file = excluded.source_file,
    law_type = excluded.law_type,
    title = excluded.title,
    short_title = excluded.short_title,
    abbreviation = excluded.abbreviation,
    year = excluded.year,
    ministries = excluded.ministries,
    legal_areas = excluded.legal_areas,
    changes_to = excluded.changes_to,
    in_force = excluded.in_force,
    in_force_from = excluded.in_force_from,
    in_force_note = excluded.in_force_note,
    last_change_in_force = excluded.last_change_in_force,
    last_changed_by = excluded.last_changed_by,
    eea_references = excluded.eea_references,
    content_hash = excluded.content_hash,
    corpus_version = NULL,
    stored_at = now(),
    removed_at = NULL;

-- name: drop_structures
-- Deletes the divisions of documents. $1 refids
DELETE FROM structures WHERE refid = ANY($1);

-- name: remove_sections
-- Marks sections that the incoming documents no longer have; returns which. $1 refids
UPDATE sections SET removed_at = now()
WHERE refid = ANY($1) AND removed_at IS NULL
    AND NOT EXISTS (
        SELECT FROM incoming_sections i WHERE i.refid = sections.refid AND i.section_key = sections.section_key
    )
RETURNING refid, section;

-- name: store_sections
-- Stores the incoming sections that differ from what is stored; returns those whose content does. $1 refids
-- (which keep the planner, who knows nothing of temporary tables, from reading all sections)
WITH before AS (
    SELECT refid, section_key, section, position, structure, kind, in_force, tokens, content_hash, removed_at
    FROM sections WHERE refid = ANY($1)
), differing AS (
    SELECT i.*, s.content_hash IS DISTINCT FROM i.content_hash OR s.removed_at IS NOT NULL AS news
    FROM incoming_sections i LEFT JOIN before s USING (refid, section_key)
    WHERE s.refid IS NULL
        OR s.removed_at IS NOT NULL
        OR (s.content_hash, s.section, s.position, s.kind, s.in_force, s.tokens)
            IS DISTINCT FROM (i.content_hash, i.section, i.position, i.kind, i.in_force, i.tokens)
        OR s.structure IS DISTINCT FROM i.structure
), stored AS (
    INSERT INTO sections (
        refid, section_key, section, position, structure, kind, value, title, path, text, blocks, notes, footnotes,
        refs, in_force, in_force_from, content_hash, tokens
    )
    SELECT
        refid, section_key, section, position, structure, kind, value, title, path, text, blocks, notes, footnotes,
        refs, in_force, in_force_from, content_hash, tokens
    FROM differing
    ON CONFLICT (refid, section_key) DO UPDATE SET
        section = excluded.section,
        position = excluded.position,
        structure = excluded.structure,
        kind = excluded.kind,
        value = excluded.value,
        title = excluded.title,
        path = excluded.path,
        text = excluded.text,
        blocks = excluded.blocks,
        notes = excluded.notes,
        footnotes = excluded.footnotes,
        refs = excluded.refs,
        in_force = excluded.in_force,
        in_force_from = excluded.in_force_from,
        content_hash = excluded.content_hash,
        tokens = excluded.tokens,
        removed_at = NULL
)
SELECT refid, section FROM differing WHERE news ORDER BY refid, position;

-- name: remove_documents
-- Marks documents as removed, pending. $1 refids
UPDATE documents SET removed_at = now(), corpus_version = NULL WHERE refid = ANY($1) AND removed_at IS NULL;

-- name: documents_in_force
-- What stands as in force in a data set. $1 data set
SELECT refid, short_title, in_force_note, cardinality(legal_areas) > 0 FROM documents
WHERE dataset = $1 AND removed_at IS NULL AND in_force = 'in_force';

-- name: repeal_documents
-- Marks documents as repealed, pending, and what of them was in force or was to be. $1 refids
WITH repealed AS (
    UPDATE documents SET in_force = 'repealed', corpus_version = NULL WHERE refid = ANY($1) RETURNING refid
)
UPDATE sections SET in_force = 'repealed' FROM repealed
WHERE sections.refid = repealed.refid AND sections.removed_at IS NULL AND sections.in_force <> 'repealed';

-- name: remove_dataset
-- Marks all documents of a data set as removed, pending; returns which. $1 data set
UPDATE documents SET removed_at = now(), corpus_version = NULL WHERE dataset = $1 AND removed_at IS NULL
RETURNING refid;

-- name: raise_version
-- Raises the corpus version if anything is pending in the data sets. $1 data sets
UPDATE corpus SET version = version + 1, changed_at = now()
WHERE EXISTS (SELECT FROM documents WHERE dataset = ANY($1) AND corpus_version IS NULL);

-- name: stamp_documents
-- Gives what is pending in the data sets the corpus version. $1 data sets
UPDATE documents SET corpus_version = corpus.version FROM corpus
WHERE dataset = ANY($1) AND corpus_version IS NULL;

-- name: move_corpus_date
-- Moves the corpus date forward, never back. $1 date, or NULL
UPDATE corpus SET corpus_date = $1 WHERE $1::date IS NOT NULL AND (corpus_date IS NULL OR corpus_date < $1);

-- name: corpus
-- The corpus version and date. No parameters
SELECT version, corpus_date FROM corpus;

-- name: note_changes
-- Notes pending changes of documents, joined with what is pending already. $1 refids, $2 data set of each, $3 change of
-- each
INSERT INTO document_changes (refid, dataset, change)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
ON CONFLICT (refid) WHERE corpus_version IS NULL DO UPDATE SET
    dataset = excluded.dataset,
    change = CASE
        WHEN (document_changes.change, excluded.change) = ('added', 'changed') THEN 'added' ELSE excluded.change
    END;

-- name: note_changed_sections
-- Adds sections to the pending changes of their documents. $1 refid of each, $2 sections, $3 how many of a document are
-- named at most
UPDATE document_changes AS c
SET sections = (c.sections || ARRAY(SELECT s FROM unnest(n.sections) AS s WHERE s <> ALL (c.sections)))[:$3::integer]
FROM (
    SELECT refid, array_agg(section ORDER BY place) AS sections
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS u (refid, section, place)
    GROUP BY refid
) AS n
WHERE c.refid = n.refid AND c.corpus_version IS NULL;

-- name: stamp_changes
-- Gives pending changes in the data sets the corpus version. $1 data sets
UPDATE document_changes SET corpus_version = corpus.version FROM corpus
WHERE dataset = ANY($1) AND corpus_version IS NULL;

-- name: unpublished_changes
-- The oldest changes that count and are not published. $1 data sets, $2 how many at most
SELECT id, refid, dataset, change, sections, corpus_version FROM document_changes
WHERE dataset = ANY($1) AND corpus_version IS NOT NULL
ORDER BY id
LIMIT $2;

-- name: forget_changes
-- Forgets changes that are published. $1 ids
DELETE FROM document_changes WHERE id = ANY($1);
