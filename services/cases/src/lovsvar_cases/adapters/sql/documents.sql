-- name: case_key
-- $1 case_id
SELECT wrapped_key FROM cases WHERE case_id = $1 AND erased_at IS NULL

-- name: forget_unfinished_uploads
-- Parts whose document was never finished. $1 case_id, $2 stored before
DELETE FROM document_parts p WHERE case_id = $1 AND stored_at < $2
    AND NOT EXISTS (SELECT FROM documents d WHERE d.case_id = p.case_id AND d.document_id = p.document_id)

-- name: count_uploads
-- Documents of a case besides one, with those that are not finished. $1 case_id, $2 document_id
SELECT count(DISTINCT document_id) FROM (
    SELECT document_id FROM document_parts WHERE case_id = $1
    UNION SELECT document_id FROM documents WHERE case_id = $1) AS held WHERE document_id <> $2

-- name: add_document_part
-- Stores a part of a document that is not finished. $1 case_id, $2 document_id, $3 number, $4 sealed
INSERT INTO document_parts (case_id, document_id, number, sealed)
SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM documents WHERE case_id = $1 AND document_id = $2)
ON CONFLICT (case_id, document_id, number) DO UPDATE SET sealed = excluded.sealed

-- name: read_document_parts
-- $1 case_id, $2 document_id
SELECT number, sealed FROM document_parts WHERE case_id = $1 AND document_id = $2 ORDER BY number

-- name: read_document_part
-- $1 case_id, $2 document_id, $3 number
SELECT sealed, NOT EXISTS (
    SELECT FROM document_parts WHERE case_id = $1 AND document_id = $2 AND number = $3 + 1) AS is_last
FROM document_parts WHERE case_id = $1 AND document_id = $2 AND number = $3

-- name: add_document
-- $1 case_id, $2 document_id, $3 state, $4 sealed, $5 time
INSERT INTO documents (case_id, document_id, state, sealed, added_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (case_id, document_id) DO NOTHING

-- name: read_documents
-- $1 case_id, $2 document_id or NULL for all
SELECT document_id, sealed FROM documents WHERE case_id = $1 AND ($2::text IS NULL OR document_id = $2) ORDER BY added_at

-- name: claim_document
-- The oldest document that waits to be read, and that nobody reads. $1 seconds until another may take over
UPDATE documents SET claimed_until = now() + $1 * interval '1 second', attempts = attempts + 1
WHERE (case_id, document_id) = (
    SELECT d.case_id, d.document_id FROM documents d
    WHERE d.state = 'reading' AND (d.claimed_until IS NULL OR d.claimed_until < now())
    ORDER BY d.added_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING case_id, document_id, attempts

-- name: store_document
-- What came of reading; nothing where the document was removed meanwhile. $1 case_id, $2 document_id, $3 state, $4 sealed
UPDATE documents SET state = $3, sealed = $4, claimed_until = NULL
WHERE case_id = $1 AND document_id = $2 AND state = 'reading' RETURNING document_id

-- name: add_document_page
-- $1 case_id, $2 document_id, $3 number, $4 sealed
INSERT INTO document_pages (case_id, document_id, number, sealed) VALUES ($1, $2, $3, $4)

-- name: read_document_pages
-- Pages of a document, or of all of a case. $1 case_id, $2 document_id or NULL, $3 first page, $4 how many
SELECT document_id, number, sealed FROM document_pages
WHERE case_id = $1 AND ($2::text IS NULL OR document_id = $2) AND number >= $3 ORDER BY document_id, number LIMIT $4

-- name: forget_document_bytes
-- $1 case_id, $2 document_id
DELETE FROM document_parts WHERE case_id = $1 AND document_id = $2

-- name: remove_document
-- $1 case_id, $2 document_id
WITH a AS (DELETE FROM document_parts WHERE case_id = $1 AND document_id = $2),
    b AS (DELETE FROM document_pages WHERE case_id = $1 AND document_id = $2)
DELETE FROM documents WHERE case_id = $1 AND document_id = $2
