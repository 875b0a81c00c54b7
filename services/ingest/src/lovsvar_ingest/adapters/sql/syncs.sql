-- name: try_hold_dataset
-- Holds a data set against other syncs until the connection ends. $1 data set
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

-- name: stored_archive
-- What a data set was last made equal to; no row when something is pending in it since. $1 data set
SELECT checksum, reading, source, etag, last_modified, reread FROM archives
WHERE dataset = $1 AND NOT EXISTS (
    SELECT FROM documents WHERE documents.dataset = $1 AND corpus_version IS NULL
);

-- name: note_archive
-- Notes what a data set was made equal to. $1 data set, $2 checksum, $3 reading, $4 source, $5 ETag,
-- $6 Last-Modified, $7 the day to read it again, or NULL, $8 the day of its contents, or NULL
INSERT INTO archives (dataset, checksum, reading, source, etag, last_modified, reread, published)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (dataset) DO UPDATE SET
    checksum = $2, reading = $3, source = $4, etag = $5, last_modified = $6, reread = $7, published = $8,
    stored_at = now();

-- name: forget_archive
-- Forgets what a data set was made equal to. $1 data set
DELETE FROM archives WHERE dataset = $1;
