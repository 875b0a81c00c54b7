-- name: add_revision
-- $1 case_id, $2 draft_id, $3 revision, $4 case_version, $5 sealed
INSERT INTO drafts (case_id, draft_id, revision, case_version, sealed) VALUES ($1, $2, $3, $4, $5)

-- name: read_revision
-- A revision of a draft, the newest when none is named. $1 case_id, $2 draft_id, $3 revision or NULL
SELECT d.draft_id, d.revision, d.sealed, c.wrapped_key FROM drafts d JOIN cases c USING (case_id)
WHERE d.case_id = $1 AND d.draft_id = $2 AND ($3::integer IS NULL OR d.revision = $3) AND c.erased_at IS NULL
ORDER BY d.revision DESC LIMIT 1

-- name: list_revisions
-- $1 case_id, $2 draft_id or NULL, $3 how many
SELECT d.draft_id, d.revision, d.sealed, c.wrapped_key FROM drafts d JOIN cases c USING (case_id)
WHERE d.case_id = $1 AND ($2::text IS NULL OR d.draft_id = $2) AND c.erased_at IS NULL
ORDER BY d.case_version DESC LIMIT $3

-- name: revision_of_request
-- What a request wrote before. $1 case_id, $2 request_id
SELECT d.draft_id, d.revision FROM drafts d JOIN changes h ON h.case_id = d.case_id AND h.version = d.case_version
WHERE d.case_id = $1 AND h.request_id = $2

-- name: read_fields_at
-- The value of each field at a version of the case. $1 case_id, $2 version
SELECT DISTINCT ON (f.party_id, f.field) f.party_id, f.field, f.sealed, c.wrapped_key
FROM party_fields f JOIN cases c USING (case_id)
WHERE f.case_id = $1 AND f.version <= $2 AND c.erased_at IS NULL
ORDER BY f.party_id, f.field, f.version DESC

-- name: read_numbered
-- What numbered placeholders stand for. $1 case_id
SELECT p.kind, p.number, p.sealed, c.wrapped_key FROM pseudonyms p JOIN cases c USING (case_id)
WHERE p.case_id = $1 AND c.erased_at IS NULL
