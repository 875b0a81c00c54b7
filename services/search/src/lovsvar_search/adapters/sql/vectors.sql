-- name: serving_model
-- The model to search by and its dimensions, or no row. No parameters
SELECT model, dimensions FROM serving_model;

-- name: near_passages
-- The passages nearest to a question. $1 model, $2 vector as text, $3 limit, and demands, of which NULL is none:
-- $4 law types, $5 year, $6 ministries, $7 legal areas, $8 data set, $9 refids, $10 day in force, $11 announcements
SELECT p.refid, p.section_key, p.ledd, 1 - (e.embedding::halfvec(:dimensions) <=> $2::text::halfvec(:dimensions)) AS similarity
FROM embeddings AS e
JOIN passages AS p USING (content_hash)
JOIN sections AS s ON s.refid = p.refid AND s.section_key = p.section_key AND s.removed_at IS NULL
JOIN documents AS d ON d.refid = p.refid AND d.removed_at IS NULL
WHERE e.model = $1 AND e.kind = 'passage'
    AND ($4::text[] IS NULL OR d.law_type = ANY($4))
    AND ($5::integer IS NULL OR d.year = $5)
    AND ($6::text[] IS NULL OR d.ministries && $6)
    AND ($7::text[] IS NULL OR d.legal_areas && $7)
    AND ($8::text IS NULL OR d.dataset = $8)
    AND ($9::text[] IS NULL OR d.refid = ANY($9))
    AND ($10::date IS NULL OR coalesce(s.in_force_from, d.in_force_from, '-infinity') <= $10)
    AND starts_with(d.refid, 'lti/') = $11
ORDER BY e.embedding::halfvec(:dimensions) <=> $2::text::halfvec(:dimensions)
LIMIT $3;

-- name: near_questions
-- The everyday questions nearest to a question, each with a provision that answers it. Parameters as above
SELECT q.refid, q.section_key, q.rank, 1 - (e.embedding::halfvec(:dimensions) <=> $2::text::halfvec(:dimensions)) AS similarity
FROM embeddings AS e
JOIN everyday_questions AS q USING (content_hash)
JOIN sections AS s ON s.refid = q.refid AND s.section_key = q.section_key AND s.removed_at IS NULL
JOIN documents AS d ON d.refid = q.refid AND d.removed_at IS NULL
WHERE e.model = $1 AND e.kind = 'question'
    AND ($4::text[] IS NULL OR d.law_type = ANY($4))
    AND ($5::integer IS NULL OR d.year = $5)
    AND ($6::text[] IS NULL OR d.ministries && $6)
    AND ($7::text[] IS NULL OR d.legal_areas && $7)
    AND ($8::text IS NULL OR d.dataset = $8)
    AND ($9::text[] IS NULL OR d.refid = ANY($9))
    AND ($10::date IS NULL OR coalesce(s.in_force_from, d.in_force_from, '-infinity') <= $10)
    AND starts_with(d.refid, 'lti/') = $11
ORDER BY e.embedding::halfvec(:dimensions) <=> $2::text::halfvec(:dimensions)
LIMIT $3;
