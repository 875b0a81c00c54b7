-- name: add_ticket
-- $1 ticket_id, $2 case_id, $3 sealed, $4 time
INSERT INTO tickets (ticket_id, case_id, sealed, created_at) VALUES ($1, $2, $3, $4)

-- name: open_tickets
-- $1 how many
SELECT t.ticket_id, t.case_id, t.sealed, t.created_at, c.wrapped_key
FROM tickets t JOIN cases c USING (case_id)
WHERE t.resolved_at IS NULL AND c.erased_at IS NULL ORDER BY t.created_at LIMIT $1

-- name: case_tickets
-- $1 case_id
SELECT ticket_id, case_id, sealed, created_at, resolved_at, resolved_by FROM tickets WHERE case_id = $1 ORDER BY created_at

-- name: open_ticket
-- $1 ticket_id
SELECT case_id FROM tickets WHERE ticket_id = $1 AND resolved_at IS NULL

-- name: resolve_ticket
-- $1 ticket_id, $2 resolved_by
UPDATE tickets SET resolved_at = now(), resolved_by = $2 WHERE ticket_id = $1 AND resolved_at IS NULL RETURNING ticket_id
