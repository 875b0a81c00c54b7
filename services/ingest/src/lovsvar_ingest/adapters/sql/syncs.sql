-- name: try_hold_dataset
-- Holds a data set against other syncs until the connection lets go. $1 data set
SELECT pg_try_advisory_lock(hashtextextended('lovsvar.sync.' || $1, 0));

-- name: begin_sync
-- Notes that a sync began, again after an abort; returns the event it ended with when it already did.
-- $1 sync_id, $2 data set, $3 source
INSERT INTO syncs (sync_id, dataset, source, status) VALUES ($1, $2, $3, 'running')
ON CONFLICT (sync_id) DO UPDATE SET
    status = CASE WHEN syncs.completed IS NULL THEN 'running' ELSE syncs.status END,
    detail = ''
RETURNING completed;

-- name: complete_sync
-- Notes that a sync ended well. $1 sync_id, $2 the event SyncCompleted as JSON
UPDATE syncs SET status = 'completed', finished_at = now(), completed = $2 WHERE sync_id = $1;

-- name: fail_sync
-- Notes that a sync ended badly. $1 sync_id, $2 why
UPDATE syncs SET status = 'failed', finished_at = now(), detail = $2 WHERE sync_id = $1;

-- name: is_current
-- Whether a data set equals an archive: last stored from it, in the same way, nothing pending, and no
-- document or provision has come into force, ended or been repealed by the calendar since.
-- $1 data set, $2 checksum, $3 reading
SELECT EXISTS (
    SELECT FROM archives WHERE dataset = $1 AND checksum = $2 AND reading = $3 AND stored_at >= current_date
) AND NOT EXISTS (
    SELECT FROM documents WHERE dataset = $1 AND corpus_version IS NULL
);

-- name: note_archive
-- Notes what a data set was made equal to. $1 data set, $2 checksum, $3 reading
INSERT INTO archives (dataset, checksum, reading) VALUES ($1, $2, $3)
ON CONFLICT (dataset) DO UPDATE SET checksum = $2, reading = $3, stored_at = now();

-- name: forget_archive
-- Forgets what a data set was made equal to. $1 data set
DELETE FROM archives WHERE dataset = $1;
