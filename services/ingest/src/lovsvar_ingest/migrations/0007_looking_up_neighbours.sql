-- What a search by meaning looks up of each neighbour stands in an index: the sections themselves are wide, and each would
-- be another page to read for one row.

CREATE INDEX sections_live ON sections (refid, section_key) INCLUDE (in_force_from) WHERE removed_at IS NULL;

DROP INDEX passages_content_hash;
CREATE INDEX passages_content_hash ON passages (content_hash) INCLUDE (refid, section_key, ledd);

-- PostgreSQL takes the hashes of one kind to be as many as those of all, and so a question to have its vector one time in
-- twelve; a law type then seems rarer than it is, and every vector of it is read rather than the index. Of what two tables
-- are joined by it heeds the one with more values, which is the other one from now on.
ALTER TABLE embeddings ALTER COLUMN content_hash SET (n_distinct = 1000);
ANALYZE embeddings;
