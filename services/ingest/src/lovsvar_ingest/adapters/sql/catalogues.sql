-- name: make_staged_products
-- Makes the temporary tables that items are staged in, empty. No parameters
CREATE TEMPORARY TABLE IF NOT EXISTS staged_products (LIKE products);
CREATE TEMPORARY TABLE IF NOT EXISTS staged_passages (LIKE product_passages);
CREATE TEMPORARY TABLE IF NOT EXISTS differing_products (product_id text NOT NULL, change text NOT NULL);
TRUNCATE staged_products, staged_passages, differing_products;

-- name: analyse_staged_products
-- Tells the planner of the staged items, of which it knows nothing. No parameters
ANALYZE staged_products;
ANALYZE staged_passages;

-- name: forget_staged_products
-- Empties the temporary tables, which live as long as the connection. No parameters
TRUNCATE staged_products, staged_passages, differing_products;

-- name: forget_differing_products
-- Empties the notes of a comparison before another. No parameters
TRUNCATE differing_products;

-- name: stored_catalogue
-- A catalogue as it is stored, with the number of its items; no row when it never was. $1 catalogue
SELECT version, source, reading, checksum, etag, last_modified, removed_at IS NULL AS live,
    (SELECT count(*) FROM products AS p WHERE p.catalogue = c.catalogue AND p.removed_at IS NULL) AS items
FROM catalogues AS c
WHERE catalogue = $1;

-- name: note_differing_products
-- Notes which staged items differ from the stored ones, and which stored ones are not staged.
-- $1 catalogue, $2 whether all differ, $3 ids that are not removed
INSERT INTO differing_products (product_id, change)
SELECT
    coalesce(s.product_id, p.product_id),
    CASE
        WHEN s.product_id IS NULL THEN 'removed'
        WHEN p.product_id IS NULL THEN 'added'
        WHEN length(s.description) * 10 < length(p.description) THEN 'emptied'
        ELSE 'changed'
    END
FROM staged_products AS s
FULL JOIN (
    SELECT product_id, content_hash, description FROM products WHERE catalogue = $1 AND removed_at IS NULL
) AS p USING (product_id)
WHERE CASE
    WHEN s.product_id IS NULL THEN p.product_id <> ALL ($3::text[])
    ELSE p.product_id IS NULL OR $2 OR p.content_hash <> s.content_hash
END;

-- name: count_differing_products
-- How many items differ, by change, and how many are stored. $1 catalogue
SELECT
    (SELECT count(*) FROM products WHERE catalogue = $1 AND removed_at IS NULL) AS stored,
    count(*) FILTER (WHERE change = 'added') AS added,
    count(*) FILTER (WHERE change IN ('changed', 'emptied')) AS changed,
    count(*) FILTER (WHERE change = 'emptied') AS emptied,
    count(*) FILTER (WHERE change = 'removed') AS removed,
    (SELECT count(*) FROM staged_products) - count(*) FILTER (WHERE change <> 'removed') AS unchanged
FROM differing_products;

-- name: store_catalogue
-- Stores a catalogue's row; its version rises if it or an item of it differs. Returns the version.
-- $1 catalogue, $2 name, $3 language, $4 definition, $5 source, $6 reading, $7 checksum, $8 ETag, $9 Last-Modified
INSERT INTO catalogues AS c (
    catalogue, name, language, definition, source, reading, checksum, etag, last_modified, version, synced_at
)
VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9, nextval('catalogue_versions'), now())
ON CONFLICT (catalogue) DO UPDATE SET
    name = $2, language = $3, definition = $4::jsonb, source = $5, reading = $6, checksum = $7, etag = $8,
    last_modified = $9, synced_at = now(), removed_at = NULL,
    version = CASE
        WHEN EXISTS (SELECT FROM differing_products) OR c.removed_at IS NOT NULL
            OR (c.name, c.language, c.definition) IS DISTINCT FROM ($2, $3, $4::jsonb) THEN excluded.version
        ELSE c.version
    END
RETURNING version;

-- name: store_products
-- Stores the staged items that differ. $1 catalogue, $2 version
INSERT INTO products (
    catalogue, product_id, name, description, price, amount, url, category, problems, attributes, content_hash, version
)
SELECT
    $1, s.product_id, s.name, s.description, s.price, s.amount, s.url, s.category, s.problems, s.attributes,
    s.content_hash, $2
FROM staged_products AS s
JOIN differing_products AS d USING (product_id)
ON CONFLICT (catalogue, product_id) DO UPDATE SET
    name = excluded.name, description = excluded.description, price = excluded.price, amount = excluded.amount,
    url = excluded.url, category = excluded.category, problems = excluded.problems,
    attributes = excluded.attributes, content_hash = excluded.content_hash, version = excluded.version,
    removed_at = NULL;

-- name: remove_products
-- Marks the items that are gone as removed. $1 catalogue, $2 version
UPDATE products AS p SET removed_at = now(), version = $2
FROM differing_products AS d
WHERE p.catalogue = $1 AND p.product_id = d.product_id AND d.change = 'removed';

-- name: drop_product_passages
-- Deletes the texts of the items that differ. $1 catalogue
DELETE FROM product_passages AS p USING differing_products AS d
WHERE p.catalogue = $1 AND p.product_id = d.product_id AND d.change <> 'added';

-- name: store_product_passages
-- Stores the texts of the staged items that differ. $1 catalogue
INSERT INTO product_passages (catalogue, product_id, number, content_hash, text)
SELECT $1, s.product_id, s.number, s.content_hash, s.text
FROM staged_passages AS s
JOIN differing_products AS d USING (product_id);

-- name: note_catalogue_checked
-- Notes that a catalogue's source had nothing new. $1 catalogue, $2 ETag, $3 Last-Modified
UPDATE catalogues SET synced_at = now(), etag = $2, last_modified = $3 WHERE catalogue = $1;

-- name: delist_catalogues
-- Marks as removed the catalogues that are not listed any more, but for those from sources that cannot be read now.
-- $1 ids that are listed, $2 sources that cannot be read
UPDATE catalogues SET removed_at = now(), version = nextval('catalogue_versions')
WHERE removed_at IS NULL AND catalogue <> ALL ($1::text[]) AND source <> ALL ($2::text[])
RETURNING catalogue, version;

-- name: remove_products_of
-- Marks all items of catalogues as removed. $1 catalogues
UPDATE products AS p SET removed_at = now(), version = c.version
FROM catalogues AS c
WHERE p.catalogue = c.catalogue AND c.catalogue = ANY ($1::text[]) AND p.removed_at IS NULL;

-- name: drop_product_passages_of
-- Deletes the texts of all items of catalogues. $1 catalogues
DELETE FROM product_passages WHERE catalogue = ANY ($1::text[]);
