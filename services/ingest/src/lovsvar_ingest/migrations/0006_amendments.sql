-- What a document's header says of its last amendment and of the EEA law that it carries out.

ALTER TABLE documents
    ADD COLUMN last_changed_by text[] NOT NULL DEFAULT '{}',
    ADD COLUMN eea_references text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN documents.last_changed_by IS 'Refids of what amended the document last.';
COMMENT ON COLUMN documents.eea_references IS 'The places in the EEA agreement, and the EU acts there, in Lovdata''s words.';

CREATE INDEX documents_changes_to ON documents USING gin (changes_to);
