-- The whole schema, as the migrations make it: for reading, and for the test that compares the two.

CREATE TABLE cases (
    case_id text PRIMARY KEY,
    request_id text NOT NULL,
    owner text NOT NULL,
    organisation text,
    phase text NOT NULL,
    tier smallint,
    version integer NOT NULL,
    wrapped_key bytea,
    sealed_state bytea,
    sealed_title bytea,
    opened_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    erased_at timestamptz,
    UNIQUE (owner, request_id)
);
COMMENT ON COLUMN cases.version IS 'The number of the last change.';
COMMENT ON COLUMN cases.wrapped_key IS 'NULL once the case is erased: nothing that was sealed with it can be opened.';
COMMENT ON COLUMN cases.request_id IS 'Of the request that opened it, so that a repeat opens no second one.';
COMMENT ON COLUMN cases.sealed_title IS 'The title apart, so that a list need not open whole cases.';
CREATE INDEX cases_owner ON cases (owner, changed_at DESC, case_id DESC);
CREATE INDEX cases_organisation ON cases (organisation, changed_at DESC, case_id DESC);

CREATE TABLE changes (
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    version integer NOT NULL,
    request_id text NOT NULL,
    changed_at timestamptz NOT NULL,
    changed_by text NOT NULL,
    by_kind text NOT NULL,
    action text NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (case_id, version),
    UNIQUE (case_id, request_id)
);
COMMENT ON TABLE changes IS 'Every change of a case; the state at a version is made of all up to it.';

CREATE TABLE party_fields (
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    party_id text NOT NULL,
    field text NOT NULL,
    version integer NOT NULL,
    sealed bytea,
    PRIMARY KEY (case_id, party_id, field, version)
);
COMMENT ON TABLE party_fields IS 'The vault: who the parties are, a value a row, each sealed for its case, party and field.';
COMMENT ON COLUMN party_fields.sealed IS 'NULL where the field was taken away in this version.';

CREATE TABLE pseudonyms (
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    kind text NOT NULL,
    number integer NOT NULL,
    digest bytea NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (case_id, kind, number),
    UNIQUE (case_id, kind, digest)
);
COMMENT ON TABLE pseudonyms IS 'What placeholders stand for that are not of a party; digest is keyed with the case''s key.';

CREATE TABLE accesses (
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    accessed_at timestamptz NOT NULL DEFAULT now(),
    accessed_by text NOT NULL,
    by_kind text NOT NULL,
    action text NOT NULL
);
COMMENT ON TABLE accesses IS 'Who looked at what of a case; who changed it is in changes.';
CREATE INDEX accesses_of_case ON accesses (case_id, accessed_at DESC);

CREATE TABLE tickets (
    ticket_id text PRIMARY KEY,
    case_id text NOT NULL REFERENCES cases ON DELETE CASCADE,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    resolved_at timestamptz,
    resolved_by text
);
CREATE INDEX tickets_open ON tickets (created_at) WHERE resolved_at IS NULL;

CREATE TABLE subscriptions (
    account text NOT NULL,
    tier smallint NOT NULL,
    starts date NOT NULL,
    ends date NOT NULL,
    credits integer NOT NULL,
    PRIMARY KEY (account, tier, starts)
);
COMMENT ON TABLE subscriptions IS 'What an account gets in a period; ends is its last day.';

CREATE TABLE debits (
    case_id text PRIMARY KEY REFERENCES cases ON DELETE CASCADE,
    account text NOT NULL,
    tier smallint NOT NULL,
    debited_on date NOT NULL
);
COMMENT ON TABLE debits IS 'The credit that a case uses, one at most: a repeat cannot use a second.';
CREATE INDEX debits_of_account ON debits (account, tier, debited_on);

CREATE TABLE payments (
    payment_id text PRIMARY KEY,
    attempt text NOT NULL,
    case_id text NOT NULL,
    tier smallint NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE payments IS 'Payments by the id of their webhook; attempt is the time stamp that the provider signed.';
CREATE INDEX payments_of_case ON payments (case_id, tier);

CREATE TABLE schema_migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

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
