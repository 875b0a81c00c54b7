-- Search asks again and again which model serves: vectors, a hundred thousand of them, are counted only where that decides.

CREATE OR REPLACE VIEW serving_model AS
SELECT m.model, m.dimensions, m.completed_at
FROM (
    SELECT model, dimensions, completed_at, count(*) OVER () > 1 AND max(completed_at) OVER () IS NULL AS by_count
    FROM embedding_models
    WHERE dimensions IS NOT NULL
) AS m
ORDER BY
    m.completed_at DESC NULLS LAST,
    CASE WHEN m.by_count THEN (SELECT count(*) FROM embeddings AS e WHERE e.model = m.model) END DESC,
    m.model
LIMIT 1;
