-- name: listed_catalogues
-- The catalogues that are to be served. No parameters
SELECT c.catalogue, c.language, c.version, coalesce(c.definition ->> 'private' = 'true', false) AS private
FROM catalogues AS c
WHERE c.removed_at IS NULL AND c.version > 0
ORDER BY c.catalogue;

-- name: catalogue_state
-- The version of a catalogue, and what tells this database from any other. $1 catalogue
SELECT c.version, s.system_identifier::text || '/' || d.oid::text AS identity
FROM catalogues AS c, pg_control_system() AS s, pg_database AS d
WHERE d.datname = current_database() AND c.catalogue = $1 AND c.removed_at IS NULL;

-- name: catalogue
-- What a catalogue says of itself, and the categories of its items. $1 catalogue
SELECT
    c.catalogue, c.name, c.language, c.definition, c.version, c.synced_at,
    ARRAY(
        SELECT DISTINCT p.category
        FROM products AS p
        WHERE p.catalogue = c.catalogue AND p.removed_at IS NULL AND p.category <> ''
        ORDER BY 1
    ) AS categories
FROM catalogues AS c
WHERE c.catalogue = $1;

-- name: catalogue_words
-- Every word of the items of a catalogue, in lower case. $1 catalogue
SELECT DISTINCT word
FROM products AS p,
    regexp_split_to_table(
        lower(concat_ws(' ', p.name, p.description, p.category, array_to_string(p.problems, ' '))), '[^[:alpha:]]+'
    ) AS word
WHERE p.catalogue = $1 AND p.removed_at IS NULL AND length(word) BETWEEN 3 AND 60;

-- name: every_product
-- Items that a catalogue has or had. $1 catalogue
SELECT product_id
FROM products
WHERE catalogue = $1;

-- name: products
-- Items of a catalogue. $1 catalogue
SELECT product_id, name, description, price, amount, url, category, problems, attributes
FROM products
WHERE catalogue = $1 AND removed_at IS NULL
ORDER BY product_id;

-- name: read_products
-- Items of a catalogue. $1 catalogue, $2 their ids
SELECT product_id, name, description, price, amount, url, category, problems, attributes
FROM products
WHERE catalogue = $1 AND removed_at IS NULL AND product_id = ANY($2);

-- name: product_passages
-- What is embedded of the items of a catalogue. $1 catalogue
SELECT t.product_id, t.number, t.content_hash
FROM product_passages AS t
JOIN products AS p USING (catalogue, product_id)
WHERE t.catalogue = $1 AND p.removed_at IS NULL;

-- name: product_vectors
-- Vectors of texts, as pgvector sends them. $1 model, $2 hashes of the texts
SELECT content_hash, halfvec_send(embedding) AS vector
FROM embeddings
WHERE model = $1 AND content_hash = ANY($2);
