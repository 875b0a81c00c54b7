-- attack: deleting_cte
WITH gone AS (DELETE FROM public.sections RETURNING refid) SELECT refid AS doc_id FROM gone
-- attack: inserting_cte
WITH made AS (INSERT INTO public.corpus DEFAULT VALUES RETURNING version) SELECT * FROM made
-- attack: updating_cte
WITH hidden AS (UPDATE public.documents SET title = 'x' RETURNING title) SELECT title FROM hidden
-- attack: update_of_the_view
UPDATE legislation SET full_text = 'x'
-- attack: delete_from_the_view
DELETE FROM legislation
-- attack: insert
INSERT INTO public.corpus DEFAULT VALUES
-- attack: merge
MERGE INTO public.corpus USING legislation ON false WHEN NOT MATCHED THEN INSERT DEFAULT VALUES
-- attack: truncate
TRUNCATE public.sections
-- attack: select_into
SELECT doc_id INTO stolen FROM legislation
-- attack: select_into_temp
SELECT doc_id INTO TEMP stolen FROM legislation
-- attack: create_table_as
CREATE TABLE stolen AS SELECT doc_id FROM legislation
-- attack: create_temp_table
CREATE TEMP TABLE stolen (one integer)
-- attack: create_view
CREATE VIEW law_sql.mine AS SELECT 1 AS one
-- attack: create_function
CREATE FUNCTION law_sql.mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'
-- attack: create_schema
CREATE SCHEMA mine
-- attack: create_role
CREATE ROLE mine SUPERUSER LOGIN
-- attack: create_extension
CREATE EXTENSION dblink
-- attack: drop_table
DROP TABLE public.sections CASCADE
-- attack: drop_schema
DROP SCHEMA public CASCADE
-- attack: commit_and_drop
COMMIT; DROP SCHEMA public CASCADE
-- attack: select_and_drop
SELECT doc_id FROM legislation; DROP SCHEMA public CASCADE
-- attack: commented_second_statement
SELECT doc_id FROM legislation /* */ ; /* */ DELETE FROM public.sections --
-- attack: commit
COMMIT
-- attack: rollback
ROLLBACK
-- attack: begin_read_write
BEGIN READ WRITE
-- attack: set_transaction_read_write
SET TRANSACTION READ WRITE
-- attack: set_session_read_write
SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE
-- attack: set_timeout
SET statement_timeout = 0
-- attack: set_config_timeout
SELECT set_config('statement_timeout', '0', false)
-- attack: set_config_read_only
SELECT set_config('transaction_read_only', 'off', true)
-- attack: set_config_role
SELECT set_config('role', 'postgres', false)
-- attack: set_config_session_authorization
SELECT set_config('session_authorization', 'postgres', false)
-- attack: set_config_search_path
SELECT set_config('search_path', 'public', false)
-- attack: set_role
SET ROLE postgres
-- attack: set_role_reader
SET ROLE lovsvar_reader
-- attack: reset_role
RESET ROLE
-- attack: set_session_authorization
SET SESSION AUTHORIZATION DEFAULT
-- attack: discard_all
DISCARD ALL
-- attack: alter_role
ALTER ROLE lovsvar_sql SUPERUSER
-- attack: alter_system
ALTER SYSTEM SET log_statement = 'all'
-- attack: grant
GRANT pg_read_all_data TO lovsvar_sql
-- attack: do_block
DO $$ BEGIN EXECUTE 'DROP SCHEMA public CASCADE'; END $$
-- attack: do_block_commit
DO $$ BEGIN COMMIT; END $$
-- attack: call
CALL law_sql.nothing()
-- attack: copy_to_program
COPY (SELECT 1) TO PROGRAM 'id > /tmp/owned'
-- attack: copy_to_file
COPY (SELECT 1) TO '/tmp/owned'
-- attack: copy_from_file
COPY public.corpus FROM '/etc/passwd'
-- attack: copy_to_stdout
COPY (SELECT full_text FROM legislation) TO STDOUT
-- attack: prepare
PREPARE mine AS DELETE FROM public.sections
-- attack: execute
EXECUTE mine
-- attack: deallocate
DEALLOCATE ALL
-- attack: explain_analyze
EXPLAIN ANALYZE SELECT pg_sleep(30)
-- attack: analyze_as_a_tail_of_explain
ANALYZE DELETE FROM public.sections
-- attack: options_as_a_tail_of_explain
(ANALYZE) SELECT pg_sleep(30)
-- attack: declare_cursor
DECLARE mine CURSOR WITH HOLD FOR SELECT pg_sleep(30)
-- attack: fetch
FETCH ALL FROM asked
-- attack: parameter
SELECT $1::text
-- attack: nextval
SELECT nextval('public.document_changes_id_seq')
-- attack: setval
SELECT setval('public.document_changes_id_seq', 1)
-- attack: currval
SELECT last_value FROM public.document_changes_id_seq
-- attack: pg_authid
SELECT rolname, rolpassword FROM pg_authid
-- attack: pg_shadow
SELECT usename, passwd FROM pg_catalog.pg_shadow
-- attack: pg_roles
SELECT rolname FROM pg_roles
-- attack: pg_stat_activity
SELECT query FROM pg_stat_activity
-- attack: pg_stat_get_activity
SELECT pg_stat_get_activity(NULL)
-- attack: pg_settings
SELECT name, setting FROM pg_settings
-- attack: pg_hba_file_rules
SELECT * FROM pg_hba_file_rules
-- attack: pg_proc
SELECT prosrc FROM pg_proc WHERE proname = 'rows_of'
-- attack: pg_statistic
SELECT * FROM pg_statistic
-- attack: pg_stats
SELECT tablename, most_common_vals FROM pg_stats
-- attack: pg_largeobject
SELECT data FROM pg_largeobject
-- attack: information_schema
SELECT table_schema, table_name FROM information_schema.tables
-- attack: public_table
SELECT text FROM public.sections
-- attack: cases_table
SELECT sealed_state FROM cases.cases
-- attack: table_command
TABLE public.documents
-- attack: quoted_public_table
SELECT "text" FROM "public"."sections"
-- attack: unicode_name
SELECT text FROM U&"\0070ublic".U&"\0073ections"
-- attack: cte_of_the_same_name_elsewhere
SELECT (WITH pg_authid AS (SELECT 1 AS rolname) SELECT max(rolname) FROM pg_authid), rolname FROM pg_authid
-- attack: whole_row
SELECT legislation FROM legislation
-- attack: other_database
SELECT * FROM postgres.pg_catalog.pg_authid
-- attack: pg_read_file
SELECT pg_read_file('/etc/passwd')
-- attack: pg_read_binary_file
SELECT pg_read_binary_file('/etc/passwd')
-- attack: pg_ls_dir
SELECT pg_ls_dir('.')
-- attack: pg_stat_file
SELECT pg_stat_file('/etc/passwd')
-- attack: lo_import
SELECT lo_import('/etc/passwd')
-- attack: lo_create
SELECT lo_create(0)
-- attack: lo_from_bytea
SELECT lo_from_bytea(0, 'x')
-- attack: lo_export
SELECT lo_export(1, '/tmp/owned')
-- attack: dblink
SELECT * FROM dblink('dbname=postgres', 'SELECT 1') AS t (one integer)
-- attack: query_to_xml
SELECT query_to_xml('SELECT rolname FROM pg_roles', true, true, '')
-- attack: query_to_xml_that_writes
SELECT query_to_xml('DELETE FROM public.sections RETURNING 1', true, true, '')
-- attack: table_to_xml
SELECT table_to_xml('pg_roles'::regclass, true, true, '')
-- attack: schema_to_xml
SELECT schema_to_xml('pg_catalog', true, true, '')
-- attack: database_to_xml
SELECT database_to_xml(true, true, '')
-- attack: cursor_to_xml
SELECT cursor_to_xml('asked', 1, true, true, '')
-- attack: ts_stat
SELECT ts_stat('SELECT to_tsvector(rolname) FROM pg_roles')
-- attack: ts_stat_table
SELECT word FROM ts_stat('SELECT to_tsvector(usename) FROM pg_stat_activity')
-- attack: ts_rewrite
SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery FROM pg_roles')
-- attack: xpath
SELECT xpath('//a', ('<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>')::xml)
-- attack: xml_billion_laughs
SELECT xmlparse(DOCUMENT '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;">]><a>&d;</a>')
-- attack: xmltable
SELECT * FROM XMLTABLE('/a' PASSING '<a>1</a>' COLUMNS one integer PATH '.')
-- attack: json_to_recordset
SELECT * FROM json_to_recordset('[{"a":1}]') AS t (a integer)
-- attack: jsonb_path_query
SELECT jsonb_path_query('[1,2,3]', '$[*]')
-- attack: current_setting
SELECT current_setting('data_directory')
-- attack: current_setting_of_a_password
SELECT current_setting('primary_conninfo')
-- attack: inet_server_addr
SELECT inet_server_addr(), inet_server_port(), pg_postmaster_start_time()
-- attack: version
SELECT version()
-- attack: session_user
SELECT session_user, current_database()
-- attack: cast_to_regclass
SELECT 'pg_authid'::regclass::oid
-- attack: cast_to_regproc
SELECT 'pg_sleep'::regproc
-- attack: type_input
SELECT regclassin('pg_authid')
-- attack: to_regclass
SELECT to_regclass('public.sections')
-- attack: pg_get_viewdef
SELECT pg_get_viewdef('law_sql.legislation'::regclass)
-- attack: pg_sleep
SELECT pg_sleep(60)
-- attack: pg_sleep_in_a_predicate
SELECT doc_id FROM legislation WHERE pg_sleep(60) IS NULL
-- attack: pg_sleep_in_order
SELECT doc_id FROM legislation ORDER BY pg_sleep(60)
-- attack: pg_sleep_for
SELECT pg_sleep_for('1 minute')
-- attack: generate_series_from
SELECT count(*) FROM generate_series(1, 1000000000)
-- attack: generate_series_select
SELECT generate_series(1, 1000000000)
-- attack: repeat
SELECT repeat('a', 1000000000)
-- attack: repeat_in_a_predicate
SELECT doc_id FROM legislation WHERE full_text = repeat('a', 1000000000)
-- attack: repeat_for_each_row
SELECT repeat(full_text, 1000000) FROM legislation
-- attack: lpad
SELECT lpad('a', 1000000000)
-- attack: format_width
SELECT format('%1000000000s', 'a')
-- attack: array_fill
SELECT array_fill(0, ARRAY[100000000])
-- attack: numeric_power
SELECT 9.9 ^ 99999
-- attack: factorial
SELECT factorial(30000)
-- attack: recursive_endless
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t
-- attack: recursive_doubling
WITH RECURSIVE t (s) AS (SELECT 'a' UNION ALL SELECT s || s FROM t) SELECT s FROM t
-- attack: recursive_rows
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT a.n FROM t a, (VALUES (1), (2)) b) SELECT n FROM t
-- attack: cross_join
SELECT count(*) FROM legislation a, legislation b, legislation c, legislation d
-- attack: cross_join_of_values
SELECT count(*) FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) a(x), (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) b(x), (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) c(x), (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) d(x), (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) e(x), (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) f(x), (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) g(x), (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)) h(x)
-- attack: exploding_regex
SELECT doc_id FROM legislation WHERE 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' ~ '^(a*)*(a*)*(a*)*\1\2\3c$'
-- attack: large_regex
SELECT doc_id FROM legislation WHERE full_text ~ '((((a{1,200}){1,200}){1,200}){1,200})'
-- attack: regexp_replace
SELECT regexp_replace(full_text, '(.)', '\1\1\1\1\1\1\1\1', 'g') FROM legislation
-- attack: replace
SELECT replace(replace(replace(full_text, 'a', 'aaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaa') FROM legislation
-- attack: string_agg
SELECT string_agg(a.full_text || b.full_text, '') FROM legislation a, legislation b, legislation c
-- attack: lock_table
LOCK TABLE public.sections IN ACCESS EXCLUSIVE MODE
-- attack: for_update
SELECT doc_id FROM legislation FOR UPDATE
-- attack: advisory_lock
SELECT pg_advisory_lock(17160564)
-- attack: advisory_xact_lock
SELECT pg_advisory_xact_lock(17160564)
-- attack: try_advisory_lock
SELECT pg_try_advisory_lock(17160564)
-- attack: notify
NOTIFY mine, 'x'
-- attack: pg_notify
SELECT pg_notify('mine', 'x')
-- attack: listen
LISTEN mine
-- attack: pg_terminate_backend
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
-- attack: pg_cancel_backend
SELECT pg_cancel_backend(1)
-- attack: pg_reload_conf
SELECT pg_reload_conf()
-- attack: pg_logical_emit_message
SELECT pg_logical_emit_message(false, 'a', 'b')
-- attack: pg_create_slot
SELECT pg_create_physical_replication_slot('mine')
-- attack: pg_export_snapshot
SELECT pg_export_snapshot()
-- attack: xact_id
SELECT pg_current_xact_id()
-- attack: has_table_privilege
SELECT has_table_privilege('postgres', 'pg_authid', 'SELECT')
-- attack: own_function_that_deletes
SELECT law_sql.rows_of('DELETE FROM public.sections RETURNING 1', 5, 5000)
-- attack: own_function_that_reads
SELECT law_sql.rows_of('SELECT text FROM public.sections', 5, 5000)
-- attack: own_function_for_two
SELECT law_sql.plan_of('SELECT 1; DROP SCHEMA public CASCADE')
-- attack: own_function_that_reads_roles
SELECT law_sql.rows_of('SELECT rolname FROM pg_roles', 5, 5000)
-- attack: vacuum
VACUUM
-- attack: reindex
REINDEX TABLE public.sections
-- attack: refresh
REFRESH MATERIALIZED VIEW law_sql.legislation
-- attack: comment_on
COMMENT ON TABLE public.sections IS 'x'
-- attack: security_label
SECURITY LABEL ON TABLE public.sections IS 'x'
-- attack: load
LOAD 'dblink'
-- attack: show
SHOW hba_file
-- attack: checkpoint
CHECKPOINT
-- attack: tablesample
SELECT doc_id FROM public.sections TABLESAMPLE SYSTEM (100)
-- attack: nothing
;
-- attack: only_a_comment
-- SELECT 1
-- attack: half_a_string
SELECT 'a
-- attack: dollar_quoted
SELECT $$a$$ || pg_read_file($f$/etc/passwd$f$)
-- attack: unicode_spaces
SELECT pg_sleep(60)
-- attack: upper_case_and_comments
SELECT/**/PG_SLEEP/**/(60)
-- attack: nested_comment
SELECT doc_id /* /* */ , pg_sleep(60) /* */ */ , pg_sleep(60) FROM legislation
-- attack: line_comment_in_an_operator
SELECT 1 +-- x
pg_sleep(60)::text::integer
-- attack: lateral
SELECT doc_id FROM legislation l, LATERAL (SELECT pg_sleep(60)) AS s
-- attack: variadic
SELECT concat(VARIADIC ARRAY[pg_sleep(60)::text])
-- attack: qualified_function
SELECT pg_catalog.pg_sleep(60)
-- attack: operator_syntax
SELECT 1 OPERATOR(pg_catalog.+) pg_sleep(60)::text::integer
-- attack: escape_string
SELECT E'\x61' || pg_ls_dir('.')
-- attack: system_columns
SELECT tableoid, ctid, xmin FROM legislation
-- attack: doubling_subqueries
SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a||a a FROM (SELECT a FROM (VALUES ('a'), ('b')) v (a)) s0) s1) s2) s3) s4) s5) s6) s7) s8) s9) s10) s11) s12) s13) s14) s15) s16) s17) s18) s19) s20) s21) s22) s23) s24) s25) s26) s27) s28) s29
-- attack: doubling_ctes
WITH t0 (a) AS (VALUES ('a')), t1 AS (SELECT a||a a FROM t0), t2 AS (SELECT a||a a FROM t1), t3 AS (SELECT a||a a FROM t2), t4 AS (SELECT a||a a FROM t3), t5 AS (SELECT a||a a FROM t4), t6 AS (SELECT a||a a FROM t5), t7 AS (SELECT a||a a FROM t6), t8 AS (SELECT a||a a FROM t7), t9 AS (SELECT a||a a FROM t8), t10 AS (SELECT a||a a FROM t9), t11 AS (SELECT a||a a FROM t10), t12 AS (SELECT a||a a FROM t11), t13 AS (SELECT a||a a FROM t12), t14 AS (SELECT a||a a FROM t13), t15 AS (SELECT a||a a FROM t14), t16 AS (SELECT a||a a FROM t15), t17 AS (SELECT a||a a FROM t16), t18 AS (SELECT a||a a FROM t17), t19 AS (SELECT a||a a FROM t18), t20 AS (SELECT a||a a FROM t19), t21 AS (SELECT a||a a FROM t20), t22 AS (SELECT a||a a FROM t21), t23 AS (SELECT a||a a FROM t22), t24 AS (SELECT a||a a FROM t23), t25 AS (SELECT a||a a FROM t24), t26 AS (SELECT a||a a FROM t25), t27 AS (SELECT a||a a FROM t26), t28 AS (SELECT a||a a FROM t27), t29 AS (SELECT a||a a FROM t28) SELECT a FROM t29
-- attack: forty_times_in_each_of_four
SELECT a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a a FROM (SELECT a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a a FROM (SELECT a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a a FROM (SELECT a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a||a a FROM (SELECT summary a FROM legislation) s0) s1) s2) s3
-- attack: whole_rows_of_subqueries
SELECT s5::text a, s5::text b FROM (SELECT s4::text a, s4::text b FROM (SELECT s3::text a, s3::text b FROM (SELECT s2::text a, s2::text b FROM (SELECT s1::text a, s1::text b FROM (SELECT s0::text a, s0::text b FROM (SELECT summary a, title b FROM legislation) s0) s1) s2) s3) s4) s5
-- attack: long_expression
SELECT 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' || 'a' AS a FROM legislation
-- attack: brackets
SELECT ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
