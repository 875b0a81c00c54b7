-- Drafts: what is written of a case, in revisions that are never overwritten.

CREATE TABLE drafts (
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    draft_id text NOT NULL,
    revision integer NOT NULL,
    case_version integer NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (case_id, draft_id, revision)
);
COMMENT ON TABLE drafts IS 'Revisions of drafts, sealed; who wrote one, and when, is in the change of case_version.';
CREATE UNIQUE INDEX drafts_version ON drafts (case_id, case_version);
