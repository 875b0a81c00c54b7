-- name: corpus_state
-- The newest version, the day it is of, and what tells this database from any other.
SELECT c.version, c.corpus_date, s.system_identifier::text || '/' || d.oid::text AS identity
FROM corpus AS c, pg_control_system() AS s, pg_database AS d
WHERE d.datname = current_database();

-- name: act_names
-- What every served document is called.
SELECT refid, title, short_title, abbreviation, law_type, in_force, ministries, legal_areas
FROM documents
WHERE removed_at IS NULL;

-- name: section_parts
-- Prefixes of section names, such as gdpr in gdpr/a5; those that name a division are no names of an act.
SELECT DISTINCT s.refid, split_part(s.section_key, '/', 1) AS part
FROM sections AS s
JOIN documents AS d USING (refid)
WHERE s.section_key LIKE '%/%' AND s.section_key !~ '^(kap|del|vedlegg)' AND s.removed_at IS NULL AND d.removed_at IS NULL
ORDER BY 1, 2;

-- name: changed_refids
-- Documents that changed or were removed. $1 version after which
SELECT refid
FROM documents
WHERE corpus_version > $1;

-- name: changed_sections
-- Sections of documents that changed. $1 version after which; 0 asks for all, also those of a sync under way,
-- since they replaced what was served before.
SELECT
    s.refid, d.year, d.dataset, s.section, s.section_key, s.position, s.kind, s.value, s.title, s.path, s.text,
    s.in_force, s.tokens, coalesce(s.in_force_from, d.in_force_from) AS in_force_from,
    ARRAY(
        SELECT left(t #>> '{}', 80) FROM jsonb_path_query(s.blocks, '$[*] ? (@.kind == "ledd").text') AS t
    ) AS ledd_openings
FROM sections AS s
JOIN documents AS d USING (refid)
WHERE s.removed_at IS NULL AND d.removed_at IS NULL AND (d.corpus_version > $1 OR $1 = 0);

-- name: knows_everyday_questions
-- NULL before the migration that makes their table; a query of a missing table would end the transaction.
SELECT to_regclass('everyday_questions')::text;

-- name: everyday_questions
-- Everyday questions with the provisions that answer them; a provision that is not stored is answered by nothing.
SELECT question, refid, section_key, rank
FROM everyday_questions
ORDER BY content_hash, rank;
