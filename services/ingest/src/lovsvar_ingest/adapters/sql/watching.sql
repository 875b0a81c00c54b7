-- name: last_good_syncs
-- When each data set that holds documents was last synced well.
SELECT s.dataset, max(s.finished_at)
FROM syncs AS s
WHERE s.status = 'completed' AND EXISTS (
    SELECT FROM documents AS d WHERE d.dataset = s.dataset AND d.removed_at IS NULL
)
GROUP BY s.dataset;

-- name: count_unembedded
-- How many different passages have no vector of a model. $1 model
SELECT count(*)
FROM (SELECT DISTINCT content_hash FROM passages) AS p
WHERE NOT EXISTS (SELECT FROM embeddings AS e WHERE e.model = $1 AND e.content_hash = p.content_hash);
