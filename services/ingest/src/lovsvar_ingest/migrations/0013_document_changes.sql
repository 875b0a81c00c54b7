-- What happened to documents, kept until it is published: an event is sent once its version is served, and none is lost.

CREATE TABLE document_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    refid text NOT NULL,
    dataset text NOT NULL,
    change text NOT NULL CHECK (change IN ('added', 'changed', 'removed')),
    sections text[] NOT NULL DEFAULT '{}',
    corpus_version integer
);
CREATE UNIQUE INDEX document_changes_pending ON document_changes (refid) WHERE corpus_version IS NULL;
COMMENT ON TABLE document_changes IS 'Changes of documents that are pending (no version) or not published yet.';
