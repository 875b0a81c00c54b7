-- What a search by meaning looks up of each neighbour stands in an index: the sections themselves are wide, and each would
-- be another page to read for one row.

CREATE INDEX sections_live ON sections (refid, section_key) INCLUDE (in_force_from) WHERE removed_at IS NULL;

DROP INDEX passages_content_hash;
CREATE INDEX passages_content_hash ON passages (content_hash) INCLUDE (refid, section_key, ledd);
