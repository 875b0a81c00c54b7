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

-- name: raise_version_for_questions
-- Raises the corpus version, so that search reads the questions; of an empty corpus nothing is served. No parameters
UPDATE corpus SET version = version + 1, changed_at = now() WHERE version > 0;

-- name: hold_question_vectors
-- Holds the storing of shipped vectors against other processes until the transaction ends. No parameters
SELECT pg_advisory_xact_lock(hashtextextended('lovsvar.question_vectors', 0));

-- name: unembedded_questions
-- Which of these texts are stored questions without a vector. $1 model, $2 content hashes
SELECT q.content_hash
FROM everyday_questions AS q
WHERE q.rank = 0 AND q.content_hash = ANY($2::text[])
    AND NOT EXISTS (SELECT FROM embeddings AS e WHERE e.model = $1 AND e.content_hash = q.content_hash)
ORDER BY q.content_hash;

-- name: hold_embeddings
-- Holds vectors against other writers until the transaction ends: two who write the same hashes in another order,
-- or make an index at the same time, would wait for each other. No parameters
LOCK TABLE embeddings IN SHARE ROW EXCLUSIVE MODE;

-- name: build_in_memory
-- Has indexes made in memory, and by one process, in this transaction: parallel workers share memory of which
-- containers have little. No parameters
SELECT set_config('maintenance_work_mem', '256MB', true), set_config('max_parallel_maintenance_workers', '0', true);
