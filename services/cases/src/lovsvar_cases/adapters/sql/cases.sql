-- name: open_case
-- Stores a new case; gives no row when the owner's request opened one before.
-- $1 case_id, $2 request_id, $3 owner, $4 organisation, $5 phase, $6 wrapped_key, $7 sealed_state, $8 sealed_title,
-- $9 time
INSERT INTO cases (
    case_id, request_id, owner, organisation, phase, version, wrapped_key, sealed_state, sealed_title, opened_at, changed_at
)
VALUES ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $9)
ON CONFLICT (owner, request_id) DO NOTHING
RETURNING case_id

-- name: opened_case
-- The case that a request opened. $1 owner, $2 request_id
SELECT case_id FROM cases WHERE owner = $1 AND request_id = $2

-- name: read_case
-- A case with what is sealed of it. $1 case_id
SELECT case_id, owner, organisation, version, opened_at, changed_at, wrapped_key, sealed_state
FROM cases WHERE case_id = $1 AND erased_at IS NULL

-- name: lock_case
-- As read_case, for whoever is to change it: others who would wait, and those who note that they read do not. $1 case_id
SELECT case_id, owner, organisation, version, opened_at, changed_at, wrapped_key, sealed_state
FROM cases WHERE case_id = $1 AND erased_at IS NULL FOR NO KEY UPDATE

-- name: lock_case_to_read
-- As lock_case, for who may have nothing to write: the end of the transaction does not wait for the disk. $1 case_id
SELECT case_id, owner, organisation, version, opened_at, changed_at, wrapped_key, sealed_state,
    set_config('synchronous_commit', 'off', true)
FROM cases WHERE case_id = $1 AND erased_at IS NULL FOR NO KEY UPDATE

-- name: write_safely
-- Has the end of the transaction wait for the disk all the same.
SET LOCAL synchronous_commit TO DEFAULT

-- name: store_state
-- $1 case_id, $2 version, $3 phase, $4 tier, $5 sealed_state, $6 sealed_title, $7 time
UPDATE cases SET version = $2, phase = $3, tier = $4, sealed_state = $5, sealed_title = $6, changed_at = $7
WHERE case_id = $1

-- name: list_cases
-- The cases that somebody may see, the last changed first.
-- $1 owner, NULL for all, $2 organisation, $3 phase or NULL, $4, $5 the time and id of the last case of the page before,
-- $6 how many
SELECT case_id, version, phase, tier, organisation, opened_at, changed_at, wrapped_key, sealed_title
FROM cases
WHERE ($1::text IS NULL OR owner = $1 OR organisation = $2) AND erased_at IS NULL
    AND ($3::text IS NULL OR phase = $3)
    AND ($4::timestamptz IS NULL OR (changed_at, case_id) < ($4, $5))
ORDER BY changed_at DESC, case_id DESC LIMIT $6

-- name: add_change
-- $1 case_id, $2 version, $3 request_id, $4 time, $5 changed_by, $6 by_kind, $7 action, $8 sealed
INSERT INTO changes (case_id, version, request_id, changed_at, changed_by, by_kind, action, sealed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)

-- name: made_before
-- The version that a request made before. $1 case_id, $2 request_id
SELECT version FROM changes WHERE case_id = $1 AND request_id = $2

-- name: read_changes
-- $1 case_id, $2 above this version, $3 up to this one, $4 how many
SELECT version, changed_at, changed_by, by_kind, action, sealed
FROM changes WHERE case_id = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT $4

-- name: note_access
-- Reading does not wait for the disk: a note may be lost when the database's machine fails within a second.
-- $1 case_id, $2 accessed_by, $3 by_kind, $4 action
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO accesses (case_id, accessed_by, by_kind, action) SELECT $1, $2, $3, $4 FROM quick

-- name: read_accesses
-- $1 case_id, $2 before this time or NULL, $3 how many
SELECT accessed_at, accessed_by, by_kind, action FROM accesses
WHERE case_id = $1 AND ($2::timestamptz IS NULL OR accessed_at < $2) ORDER BY accessed_at DESC LIMIT $3

-- name: erase_case
-- Leaves a tombstone, of which nobody can say whose the case was. $1 case_id
UPDATE cases SET wrapped_key = NULL, sealed_state = NULL, sealed_title = NULL, erased_at = now(), phase = 'closed',
    tier = NULL, owner = '', organisation = NULL, request_id = case_id
WHERE case_id = $1 RETURNING opened_at, erased_at

-- name: erase_what_is_of_a_case
-- What cannot be opened any more goes, too. $1 case_id
WITH a AS (DELETE FROM changes WHERE case_id = $1), b AS (DELETE FROM party_fields WHERE case_id = $1),
    c AS (DELETE FROM pseudonyms WHERE case_id = $1), d AS (DELETE FROM accesses WHERE case_id = $1),
    e AS (DELETE FROM drafts WHERE case_id = $1),
    f AS (DELETE FROM documents WHERE case_id = $1), g AS (DELETE FROM document_parts WHERE case_id = $1),
    h AS (DELETE FROM document_pages WHERE case_id = $1)
DELETE FROM tickets WHERE case_id = $1

-- name: cases_to_erase
-- Cases that have been closed since before a time. $1 time, $2 how many
SELECT case_id FROM cases WHERE phase = 'closed' AND erased_at IS NULL AND changed_at < $1 LIMIT $2
