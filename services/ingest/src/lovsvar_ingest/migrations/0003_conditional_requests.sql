-- What a server named an archive by, so that it is asked for what changed; and until when a reading of it holds.

ALTER TABLE archives
    ADD COLUMN source text NOT NULL DEFAULT '',
    ADD COLUMN etag text NOT NULL DEFAULT '',
    ADD COLUMN last_modified text NOT NULL DEFAULT '',
    ADD COLUMN reread date;
COMMENT ON COLUMN archives.etag IS 'As the server at source gave it; so is last_modified.';
COMMENT ON COLUMN archives.reread IS
    'From this day on the archive reads otherwise, since a date in it has come; NULL when none is to come.';
UPDATE archives SET reread = current_date;
