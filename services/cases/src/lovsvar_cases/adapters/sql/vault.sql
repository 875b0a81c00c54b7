-- name: set_field
-- $1 case_id, $2 party_id, $3 field, $4 version, $5 sealed
INSERT INTO party_fields (case_id, party_id, field, version, sealed) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (case_id, party_id, field, version) DO UPDATE SET sealed = excluded.sealed

-- name: read_fields
-- The newest value of each field. $1 case_id
SELECT DISTINCT ON (party_id, field) party_id, field, version, sealed
FROM party_fields WHERE case_id = $1 ORDER BY party_id, field, version DESC

-- name: forget_party
-- $1 case_id, $2 party_id
DELETE FROM party_fields WHERE case_id = $1 AND party_id = $2

-- name: read_pseudonyms
-- $1 case_id
SELECT kind, number, sealed FROM pseudonyms WHERE case_id = $1 ORDER BY kind, number

-- name: add_pseudonym
-- Stores a value under the next number of its kind, or finds it; the caller has locked the case.
-- $1 case_id, $2 kind, $3 number, $4 digest, $5 sealed
INSERT INTO pseudonyms (case_id, kind, number, digest, sealed) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (case_id, kind, digest) DO NOTHING

-- name: wrapped_keys
-- The wrapped keys of cases, in the order of their ids. $1 after this case or NULL, $2 how many
SELECT case_id, wrapped_key FROM cases
WHERE erased_at IS NULL AND ($1::text IS NULL OR case_id > $1) ORDER BY case_id LIMIT $2

-- name: replace_key
-- Stores a key wrapped anew, unless it is another by now, or gone. $1 case_id, $2 as it was read, $3 wrapped anew
UPDATE cases SET wrapped_key = $3 WHERE case_id = $1 AND wrapped_key = $2
