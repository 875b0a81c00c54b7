-- name: set_subscription
-- $1 account, $2 tier, $3 starts, $4 ends, $5 credits
INSERT INTO subscriptions (account, tier, starts, ends, credits) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (account, tier, starts) DO UPDATE SET ends = excluded.ends, credits = excluded.credits

-- name: lock_account
-- One at a time counts what is left of an account. $1 account
SELECT pg_advisory_xact_lock(hashtextextended('lovsvar cases credit ' || $1, 0))

-- name: read_subscription
-- The subscription of an account on a day. $1 account, $2 tier, $3 day
SELECT starts, ends, credits FROM subscriptions
WHERE account = $1 AND tier = $2 AND $3 BETWEEN starts AND ends ORDER BY starts DESC LIMIT 1

-- name: is_subscriber
-- Whether an account has a subscription on a day, for any tier. $1 account, $2 day
SELECT EXISTS (SELECT FROM subscriptions WHERE account = $1 AND $2 BETWEEN starts AND ends)

-- name: count_debits
-- Credits that were used in a period, without that of one case. $1 account, $2 tier, $3 starts, $4 ends, $5 case_id
SELECT count(*) FROM debits
WHERE account = $1 AND tier = $2 AND debited_on BETWEEN $3 AND $4 AND case_id <> $5

-- name: debit
-- A case uses one credit; at another tier it gives the old one back.
-- $1 case_id, $2 account, $3 tier, $4 day
INSERT INTO debits (case_id, account, tier, debited_on) VALUES ($1, $2, $3, $4)
ON CONFLICT (case_id) DO UPDATE SET account = excluded.account, tier = excluded.tier, debited_on = excluded.debited_on
WHERE debits.tier <> excluded.tier

-- name: add_payment
-- Of a case that there is. $1 payment_id, $2 attempt, $3 case_id, $4 tier
INSERT INTO payments (payment_id, attempt, case_id, tier)
SELECT $1, $2, $3, $4 WHERE EXISTS (SELECT FROM cases WHERE case_id = $3 AND erased_at IS NULL)
ON CONFLICT (payment_id) DO NOTHING RETURNING payment_id

-- name: read_payment
-- $1 payment_id
SELECT attempt, case_id, tier FROM payments WHERE payment_id = $1

-- name: is_paid
-- Whether a payment covers a case at a tier: one for it, or for a higher one. $1 case_id, $2 tier
SELECT EXISTS (SELECT FROM payments WHERE case_id = $1 AND tier >= $2)
