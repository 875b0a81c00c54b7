-- name: last_good_syncs
-- When each data set that holds documents, or is a catalogue that is served, was last synced well.
SELECT s.dataset, max(s.finished_at)
FROM syncs AS s
WHERE s.status = 'completed' AND EXISTS (
    SELECT FROM documents AS d WHERE d.dataset = s.dataset AND d.removed_at IS NULL
    UNION ALL
    SELECT FROM catalogues AS c WHERE 'katalog-' || c.catalogue = s.dataset AND c.removed_at IS NULL
)
GROUP BY s.dataset;

-- name: count_unembedded
-- How many different passages, of law and of products, have no vector of a model. $1 model
SELECT count(*)
FROM (SELECT content_hash FROM passages UNION SELECT content_hash FROM product_passages) AS p
WHERE NOT EXISTS (SELECT FROM embeddings AS e WHERE e.model = $1 AND e.content_hash = p.content_hash);
