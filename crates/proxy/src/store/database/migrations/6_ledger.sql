-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- 1 if the last request to cancel the payment was answered as documented.
ALTER TABLE attempts ADD COLUMN cancel_answered BIGINT NOT NULL DEFAULT 0;
-- Of a payment that was created too late: the attempt that another instance had taken over by then. Its stage is `duplicate`.
ALTER TABLE attempts ADD COLUMN duplicate_of TEXT;
-- When it may be tried again to settle such a payment.
ALTER TABLE attempts ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX attempts_due ON attempts (due_at) WHERE duplicate_of IS NOT NULL AND stage <> 'ended';

INSERT INTO attempts (id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, settles_at,
    transaction_id, record, written_at, kept_until, duplicate_of, due_at)
SELECT 'late-' || transaction_id, 'late', request, found_at, 'duplicate', 1, 0, found_at, found_at,
    transaction_id, record, found_at, found_at, attempt_id, due_at
FROM surplus_payments WHERE 1 = 1 ON CONFLICT DO NOTHING;
DROP TABLE surplus_payments;

-- Past attempts stay in the table without data of the buyer: their `request` is empty. The year is the default of
-- `order_memory_days`.
INSERT INTO attempts (id, order_id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, settles_at,
    transaction_id, written_at, kept_until)
SELECT id, order_id, fingerprint, '', begun_at, stage, 1, 0, begun_at, begun_at,
    transaction_id, written_at, written_at + 31536000000
FROM past_attempts WHERE 1 = 1 ON CONFLICT DO NOTHING;
DROP TABLE past_attempts;

-- When the latest record was asked for. An older one does not replace it.
ALTER TABLE payments ADD COLUMN read_at BIGINT NOT NULL DEFAULT 0;
-- 1 if the status was ever another one than that of the creation.
ALTER TABLE payments ADD COLUMN has_moved BIGINT NOT NULL DEFAULT 0;

-- Marks of buyers that money may have been sent. While a payment has one, neither a buyer nor the proxy cancels it.
CREATE TABLE sent_marks (
    -- Digest of the secret that removes the mark.
    digest TEXT PRIMARY KEY,
    transaction_id TEXT NOT NULL,
    written_at BIGINT NOT NULL
);
CREATE INDEX sent_marks_of_payment ON sent_marks (transaction_id);
