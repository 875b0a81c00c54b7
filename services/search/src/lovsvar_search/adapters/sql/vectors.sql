-- name: serving_model
-- The model to search by and its dimensions, or no row. No parameters
SELECT model, dimensions FROM serving_model;

-- name: some_vectors
-- Some vectors from all over a model's; none of one with more dimensions than an index can have. $1 model, $2 how many
SELECT e.embedding::real[] AS vector
FROM embedding_models AS m
JOIN embeddings AS e USING (model)
WHERE m.model = $1 AND m.dimensions <= 4000
ORDER BY e.content_hash
LIMIT $2;

-- name: near
-- The 20 everyday questions nearest to a question, each with a provision that answers it and its rank among those, and
-- the 40 nearest passages, whose rank is NULL. $1 vector. In place of :model and :dimensions stand the model's name and a
-- number, since the indexes are for one model each; :demands is replaced by one of the two conditions below.
-- A question may be answered by what is not stored; passages of what was removed are soon deleted
SELECT * FROM (
    SELECT place.refid, place.section_key, place.rank, NULL::integer AS ledd,
        1 - (e.embedding::halfvec(:dimensions) <=> (SELECT $1::real[]::halfvec(:dimensions))) AS similarity
    FROM embeddings AS e
    JOIN everyday_questions AS place USING (content_hash)
    JOIN sections AS stored
        ON stored.refid = place.refid AND stored.section_key = place.section_key AND stored.removed_at IS NULL
    WHERE e.model = :model AND e.kind = 'question' AND :demands
    ORDER BY e.embedding::halfvec(:dimensions) <=> (SELECT $1::real[]::halfvec(:dimensions))
    LIMIT 20
) AS questions
UNION ALL
SELECT * FROM (
    SELECT place.refid, place.section_key, NULL::smallint, place.ledd,
        1 - (e.embedding::halfvec(:dimensions) <=> (SELECT $1::real[]::halfvec(:dimensions)))
    FROM embeddings AS e
    JOIN passages AS place USING (content_hash)
    WHERE e.model = :model AND e.kind = 'passage' AND :demands
    ORDER BY e.embedding::halfvec(:dimensions) <=> (SELECT $1::real[]::halfvec(:dimensions))
    LIMIT 40
) AS passages;

-- name: near_demands_none
-- What `near` demands of a place in current law. No parameters
NOT starts_with(place.refid, 'lti/')

-- name: near_demands
-- What `near` demands of a place, of which NULL is none: $2 law types, $3 first year, $4 ministries, $5 legal areas,
-- $6 data set, $7 refids, $8 day in force, $9 announcements, $10 last year
EXISTS (
    SELECT FROM sections AS s
    JOIN documents AS d USING (refid)
    WHERE s.refid = place.refid AND s.section_key = place.section_key AND s.removed_at IS NULL AND d.removed_at IS NULL
        AND ($2::text[] IS NULL OR d.law_type = ANY($2))
        AND ($3::integer IS NULL OR d.year BETWEEN $3 AND $10)
        AND ($4::text[] IS NULL OR d.ministries && $4)
        AND ($5::text[] IS NULL OR d.legal_areas && $5)
        AND ($6::text IS NULL OR d.dataset = $6)
        AND ($7::text[] IS NULL OR d.refid = ANY($7))
        AND ($8::date IS NULL OR coalesce(s.in_force_from, d.in_force_from, '-infinity') <= $8)
        AND starts_with(d.refid, 'lti/') = $9
)
