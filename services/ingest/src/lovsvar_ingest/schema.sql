-- The whole schema, as the migrations make it: for reading, and for the test that compares the two.

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
    changes_to text[] NOT NULL DEFAULT '{}',
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
COMMENT ON COLUMN documents.changes_to IS 'Refids of the documents that this one amends or repeals.';
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
    before integer NOT NULL DEFAULT 0,
    notes text[] NOT NULL DEFAULT '{}',
    footnotes text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (refid, position)
);
COMMENT ON TABLE structures IS 'Divisions (del, kapittel, avsnitt, vedlegg); parent is the position of the enclosing one.';

COMMENT ON COLUMN structures.before IS 'position of the section that follows the heading in reading order.';

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
    refs text[] NOT NULL DEFAULT '{}',
    in_force text NOT NULL,
    in_force_from date,
    content_hash text NOT NULL,
    tokens integer NOT NULL,
    removed_at timestamptz,
    PRIMARY KEY (refid, section_key)
);
COMMENT ON COLUMN sections.section_key IS 'section without white space and case, as names are compared.';
COMMENT ON COLUMN sections.refs IS 'What the text links to, as Lovdata writes it: lov/1999-03-26-17/§3-5/ledd/1.';
COMMENT ON COLUMN sections.structure IS 'position of the innermost division that holds the section.';
CREATE INDEX sections_reading_order ON sections (refid, position);

CREATE TABLE syncs (
    sync_id text PRIMARY KEY,
    dataset text NOT NULL,
    source text NOT NULL,
    status text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    completed jsonb,
    detail text NOT NULL DEFAULT ''
);
CREATE INDEX syncs_dataset ON syncs (dataset, started_at DESC);
COMMENT ON COLUMN syncs.status IS 'running, completed or failed.';
COMMENT ON COLUMN syncs.completed IS 'The event SyncCompleted, once it ended well.';

CREATE TABLE archives (
    dataset text PRIMARY KEY,
    checksum text NOT NULL,
    reading integer NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE archives IS 'The archive that each data set was last made equal to, and in which way it was read.';

CREATE TABLE schema_migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);
