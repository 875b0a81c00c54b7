-- name: hold_everyday
-- Holds the everyday questions against other processes until the transaction ends. No parameters
SELECT pg_advisory_xact_lock(hashtextextended('lovsvar.everyday', 0));

-- name: stored_everyday
-- Checksum of the questions that are stored, or no row. No parameters
SELECT checksum FROM everyday_data;

-- name: drop_everyday
-- Deletes the questions; readers keep what they see. No parameters
DELETE FROM everyday_questions;

-- name: note_everyday
-- Notes which questions are stored. $1 checksum
INSERT INTO everyday_data (checksum) VALUES ($1)
ON CONFLICT (only_row) DO UPDATE SET checksum = excluded.checksum, loaded_at = now();

-- name: serve_anew
-- Raises the corpus version, so that search reads the questions; of an empty corpus nothing is served. No parameters
UPDATE corpus SET version = version + 1, changed_at = now() WHERE version > 0;
