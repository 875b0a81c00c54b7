-- Documents that are handed in to a case: the bytes in parts, the text in pages, all sealed with the case's key.

CREATE TABLE documents (
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    document_id text NOT NULL,
    state text NOT NULL,
    sealed bytea NOT NULL,
    added_at timestamptz NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    claimed_until timestamptz,
    PRIMARY KEY (case_id, document_id)
);
COMMENT ON COLUMN documents.claimed_until IS 'Until then a process reads it; after that, another takes over.';
CREATE INDEX documents_to_read ON documents (added_at) WHERE state = 'reading';

CREATE TABLE document_parts (
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    document_id text NOT NULL,
    number integer NOT NULL,
    sealed bytea NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (case_id, document_id, number)
);
COMMENT ON TABLE document_parts IS 'The bytes as they were handed in; parts of no document are of an upload that is not finished.';

CREATE TABLE document_pages (
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    document_id text NOT NULL,
    number integer NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (case_id, document_id, number)
);
