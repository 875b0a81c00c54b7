-- The corpus: documents, their divisions, their sections, and the syncs that stored them.

CREATE TABLE corpus (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version bigint NOT NULL DEFAULT 0,
    corpus_date date,
    changed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE corpus IS 'One row. version rises with each sync that changed something.';
INSERT INTO corpus DEFAULT VALUES;

CREATE TABLE documents (
    refid text PRIMARY KEY,
    legacy_id text NOT NULL,
    dokid text NOT NULL,
    dataset text NOT NULL,
    source_file text NOT NULL,
    law_type text NOT NULL,
    title text NOT NULL,
    short_title text NOT NULL,
    abbreviation text NOT NULL,
    year integer NOT NULL,
    ministries text[] NOT NULL,
    legal_areas text[] NOT NULL,
    in_force text NOT NULL,
    in_force_from date,
    in_force_note text NOT NULL,
    last_change_in_force date,
    content_hash text NOT NULL,
    corpus_version bigint,
    stored_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz
);
COMMENT ON COLUMN documents.corpus_version IS
    'Version in which the document last changed; NULL while the sync that changed it is under way.';
COMMENT ON COLUMN documents.removed_at IS 'Set when the document left its archive; it is then no longer served.';
CREATE INDEX documents_corpus_version ON documents (corpus_version);
CREATE INDEX documents_dataset ON documents (dataset);

CREATE TABLE structures (
    refid text NOT NULL REFERENCES documents ON DELETE CASCADE,
    position integer NOT NULL,
    parent integer,
    kind text NOT NULL,
    name text NOT NULL,
    title text NOT NULL,
    PRIMARY KEY (refid, position)
);
COMMENT ON TABLE structures IS 'Divisions (del, kapittel, avsnitt, vedlegg); parent is the position of the enclosing one.';

CREATE TABLE sections (
    refid text NOT NULL REFERENCES documents ON DELETE CASCADE,
    section_key text NOT NULL,
    section text NOT NULL,
    position integer NOT NULL,
    structure integer,
    kind text NOT NULL,
    value text NOT NULL,
    title text NOT NULL,
    path text[] NOT NULL,
    text text NOT NULL,
    blocks jsonb NOT NULL,
    notes text[] NOT NULL,
    footnotes text[] NOT NULL,
    in_force text NOT NULL,
    in_force_from date,
    content_hash text NOT NULL,
    tokens integer NOT NULL,
    removed_at timestamptz,
    PRIMARY KEY (refid, section_key)
);
COMMENT ON COLUMN sections.section_key IS 'section without white space and case, as names are compared.';
COMMENT ON COLUMN sections.structure IS 'position of the innermost division that holds the section.';
CREATE INDEX sections_reading_order ON sections (refid, position);

CREATE TABLE syncs (
    sync_id text PRIMARY KEY,
    dataset text NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    report jsonb,
    detail text NOT NULL DEFAULT ''
);
CREATE INDEX syncs_dataset ON syncs (dataset, started_at DESC);
