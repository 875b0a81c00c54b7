CREATE SCHEMA notices;
CREATE TABLE notices.schema_migrations (
    number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE notices.notices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    text text NOT NULL,
    posted_at timestamptz NOT NULL DEFAULT now()
);
