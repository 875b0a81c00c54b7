-- Catalogues of products and services, and what is embedded of their items.

CREATE TABLE catalogues (
    catalogue text PRIMARY KEY,
    name text NOT NULL,
    language text NOT NULL,
    definition jsonb NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    synced_at timestamptz,
    removed_at timestamptz,
    source text NOT NULL,
    reading text NOT NULL DEFAULT '',
    checksum text NOT NULL DEFAULT '',
    etag text NOT NULL DEFAULT '',
    last_modified text NOT NULL DEFAULT ''
);
COMMENT ON TABLE catalogues IS 'version rises with each sync that changed an item or the definition, from one sequence for all.';
COMMENT ON COLUMN catalogues.definition IS 'The rest of the catalogue''s file: weights, link hosts, offer, words for no price.';
COMMENT ON COLUMN catalogues.removed_at IS 'Set when the catalogue is no longer listed; it is then not served.';
COMMENT ON COLUMN catalogues.source IS 'The listed folder or address that the catalogue''s file is in.';
COMMENT ON COLUMN catalogues.reading IS 'Hash of the catalogue''s file and of how items are read; the same items are read again when it differs.';
COMMENT ON COLUMN catalogues.checksum IS 'SHA-256 of the items that are stored. etag and last_modified are what their server said of them.';

CREATE SEQUENCE catalogue_versions;

CREATE TABLE products (
    catalogue text NOT NULL REFERENCES catalogues ON DELETE CASCADE,
    product_id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    price text NOT NULL,
    amount double precision,
    url text NOT NULL,
    category text NOT NULL,
    problems text[] NOT NULL,
    attributes jsonb NOT NULL,
    content_hash text NOT NULL,
    version bigint NOT NULL,
    removed_at timestamptz,
    PRIMARY KEY (catalogue, product_id)
);
COMMENT ON COLUMN products.version IS 'Version of the catalogue in which the item last changed or was removed.';
CREATE INDEX products_version ON products (catalogue, version);

CREATE TABLE product_passages (
    catalogue text NOT NULL,
    product_id text NOT NULL,
    number integer NOT NULL,
    content_hash text NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (catalogue, product_id, number),
    FOREIGN KEY (catalogue, product_id) REFERENCES products ON DELETE CASCADE
);
COMMENT ON TABLE product_passages IS 'What is embedded of an item: 0 is name and description, the others its problems, as questions.';
COMMENT ON COLUMN product_passages.content_hash IS
    'Hash of the text that no passage or question of the law has; its vector is in embeddings, of kind product.';
CREATE INDEX product_passages_content_hash ON product_passages (content_hash);

ALTER TABLE embeddings DROP CONSTRAINT embeddings_kind_check;
ALTER TABLE embeddings ADD CONSTRAINT embeddings_kind_check CHECK (kind IN ('passage', 'question', 'product'));
