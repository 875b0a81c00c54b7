-- The day of an archive's contents, so that readers can say which archive the law is from.

ALTER TABLE archives ADD COLUMN published date;
COMMENT ON COLUMN archives.published IS 'The day of the archive''s contents; NULL where it has none.';
