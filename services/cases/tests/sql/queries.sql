-- query: by_two_keywords
SELECT doc_id, title, summary FROM legislation WHERE LOWER(full_text) LIKE '%depositum%' AND LOWER(full_text) LIKE '%konto%' LIMIT 10
-- query: by_a_keyword_in_any_case
SELECT doc_id, title, summary FROM legislation WHERE full_text ILIKE '%DEPOSITUM%' ORDER BY doc_id LIMIT 10
-- query: by_either_keyword
SELECT doc_id, title FROM legislation WHERE full_text ILIKE '%oppsigelse%' OR full_text ILIKE '%depositum%'
-- query: full_text_by_id
SELECT doc_id, full_text FROM legislation WHERE doc_id = 'lov/1999-03-26-17/§3-5'
-- query: full_texts_by_ids
SELECT doc_id, title, full_text FROM legislation WHERE doc_id IN ('lov/1999-03-26-17/§3-5', 'lov/1999-03-26-17/§9-5')
-- query: full_text_by_id_and_more
SELECT l.full_text FROM law_sql.legislation AS l WHERE l.doc_id = 'lov/1999-03-26-17/§3-5' AND l.year = 1999
-- query: part_of_a_full_text
SELECT left(full_text, 20) AS start, length(full_text) AS lengde FROM legislation WHERE doc_id = 'lov/1999-03-26-17/§3-5'
-- query: by_document
SELECT doc_id, section, path FROM legislation WHERE document = 'lov/1999-03-26-17' ORDER BY section
-- query: by_abbreviation
SELECT section, title FROM legislation WHERE lower(abbreviation) = 'husll' AND section LIKE '§9%'
-- query: by_year_and_type
SELECT DISTINCT document, document_title FROM legislation WHERE year BETWEEN 1990 AND 2010 AND document_type = 'lov'
-- query: count
SELECT count(*) AS antall FROM legislation
-- query: counted_by_document
SELECT document, count(*) AS antall FROM legislation GROUP BY document HAVING count(*) > 1 ORDER BY antall DESC NULLS LAST
-- query: by_date
SELECT doc_id FROM legislation WHERE in_force_from >= DATE '1990-01-01' AND in_force_from < '2020-01-01'::date
-- query: by_legal_area
SELECT doc_id, legal_areas FROM legislation WHERE 'Husleie' = ANY(legal_areas)
-- query: by_ministry_in_an_array
SELECT doc_id FROM legislation WHERE ministries @> ARRAY['Kommunaldepartementet']
-- query: by_a_case
SELECT doc_id, CASE WHEN title ILIKE '%depositum%' THEN 2 WHEN summary ILIKE '%depositum%' THEN 1 ELSE 0 END AS treff FROM legislation ORDER BY treff DESC, doc_id LIMIT 5
-- query: by_a_cte
WITH treff AS (SELECT doc_id, title, document FROM legislation WHERE full_text ILIKE '%depositum%') SELECT t.doc_id, t.title FROM treff AS t ORDER BY 1
-- query: by_a_subquery
SELECT doc_id, title FROM legislation WHERE document IN (SELECT document FROM legislation WHERE full_text ILIKE '%depositum%')
-- query: by_exists
SELECT a.doc_id FROM legislation a WHERE EXISTS (SELECT 1 FROM legislation b WHERE b.document = a.document AND b.section = '§9-5')
-- query: union
SELECT doc_id, title FROM legislation WHERE title ILIKE '%depositum%' UNION SELECT doc_id, title FROM legislation WHERE summary ILIKE '%oppsi%' LIMIT 10
-- query: with_a_window
SELECT doc_id, row_number() OVER (PARTITION BY document ORDER BY section) AS nummer FROM legislation
-- query: with_functions
SELECT upper(short_title) AS lov, coalesce(nullif(abbreviation, ''), short_title) AS navn, concat(section, ' ', title) AS sitat, strpos(summary, 'leie') AS sted, substring(summary FROM 1 FOR 10) AS start, trim(title) AS tittel FROM legislation WHERE title IS NOT NULL
-- query: self_join_by_key
SELECT a.doc_id, b.title FROM legislation a JOIN legislation b ON b.doc_id = a.doc_id WHERE a.section = '§3-5'
-- query: with_comments_and_semicolon
SELECT doc_id /* id */ FROM legislation -- alle
WHERE NOT summary ILIKE '%avtale\_%' AND year <> 1814 LIMIT 10 OFFSET 0;
-- query: extract
SELECT EXTRACT(YEAR FROM in_force_from) AS aar, min(doc_id) AS doc_id FROM legislation GROUP BY 1
