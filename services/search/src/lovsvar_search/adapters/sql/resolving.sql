-- name: sections_between
-- Provisions of a document from one to another, in reading order. $1 refid, $2 first key, $3 last key, $4 limit
SELECT s.section, s.value, s.title
FROM sections AS s
JOIN documents AS d USING (refid)
JOIN sections AS f ON f.refid = s.refid AND f.section_key = $2 AND f.removed_at IS NULL
JOIN sections AS l ON l.refid = s.refid AND l.section_key = $3 AND l.removed_at IS NULL
WHERE s.refid = $1 AND s.kind = 'provision' AND s.removed_at IS NULL AND d.removed_at IS NULL
    AND s.position BETWEEN f.position AND l.position
ORDER BY s.position
LIMIT $4;

-- name: sections_called
-- Sections of a document by key, and provisions that are printed under the same number, in reading order.
-- $1 refid, $2 section keys
SELECT s.section, s.value, s.title
FROM sections AS s
JOIN documents AS d USING (refid)
WHERE s.refid = $1 AND s.removed_at IS NULL AND d.removed_at IS NULL
    AND (
        s.section_key = ANY($2::text[])
        OR (s.kind = 'provision' AND lower(regexp_replace(s.value, '\s', '', 'g')) IN (
            SELECT lower(regexp_replace(named.value, '\s', '', 'g'))
            FROM sections AS named
            WHERE named.refid = $1 AND named.section_key = ANY($2::text[]) AND named.kind = 'provision'
                AND named.value <> '' AND named.removed_at IS NULL
        ))
    )
ORDER BY s.position;

-- name: provision_numbers
-- Every provision of a document, in reading order. $1 refid
SELECT s.section, s.value, s.title
FROM sections AS s
JOIN documents AS d USING (refid)
WHERE s.refid = $1 AND s.kind = 'provision' AND s.removed_at IS NULL AND d.removed_at IS NULL
ORDER BY s.position;

-- name: chapters
-- Chapters of a document by their number without spaces, in reading order. $1 refid, $2 number in lower case
SELECT t.name, t.title
FROM structures AS t
JOIN documents AS d USING (refid)
WHERE t.refid = $1 AND t.kind = 'kapittel' AND d.removed_at IS NULL
    AND $2 IN (
        substring(lower(t.name) FROM '(?:^|/)kap([^/~]+)(?:~[0-9]+)?$'),
        lower(regexp_replace(
            substring(t.title FROM '(?i)^(?:kapitt?el|kap\.?)\s*([0-9]+(?:\s?[a-z]\M)?|[ivxlc]+\M)'), '\s', '', 'g'
        ))
    )
ORDER BY t.position;

-- name: count_ledd
-- How many ledd a section has. $1 refid, $2 section key
SELECT count(*) AS ledd
FROM sections AS s
JOIN documents AS d USING (refid)
CROSS JOIN jsonb_array_elements(s.blocks) AS block
WHERE s.refid = $1 AND s.section_key = $2 AND s.removed_at IS NULL AND d.removed_at IS NULL
    AND block ->> 'kind' = 'ledd';
