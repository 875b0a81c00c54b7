-- name: add_ticket
-- $1 ticket_id, $2 case_id, $3 sealed, $4 time
INSERT INTO tickets (ticket_id, case_id, sealed, created_at) VALUES ($1, $2, $3, $4)

-- name: tickets_of_case
-- $1 case_id
SELECT t.ticket_id, t.case_id, t.sealed, t.created_at, t.resolved_at, t.resolved_by, c.wrapped_key
FROM tickets t JOIN cases c USING (case_id) WHERE t.case_id = $1 AND c.erased_at IS NULL ORDER BY t.created_at

-- name: open_tickets
-- $1 how many
SELECT t.ticket_id, t.case_id, t.sealed, t.created_at, t.resolved_at, t.resolved_by, c.wrapped_key
FROM tickets t JOIN cases c USING (case_id)
WHERE t.resolved_at IS NULL AND c.erased_at IS NULL ORDER BY t.created_at LIMIT $1

-- name: resolve_ticket
-- $1 ticket_id, $2 resolved_by
UPDATE tickets SET resolved_at = now(), resolved_by = $2 WHERE ticket_id = $1 AND resolved_at IS NULL RETURNING ticket_id
