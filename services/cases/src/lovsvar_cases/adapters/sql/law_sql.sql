-- name: plan_of_query
-- What a query costs, and what of its plan is not allowed.
-- $1 the query
SELECT cost, refused FROM law_sql.plan_of($1)

-- name: rows_of_query
-- The rows as JSON; a last one NULL where there are more.
-- $1 the query, $2 the most rows, $3 the most bytes together
SELECT * FROM law_sql.rows_of($1, $2, $3)
