-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Payments that the service created after another instance had taken their attempt over. Each one is
-- cancelled, unless its attempt turns out to have no other payment. A row stays until that is done.
CREATE TABLE surplus_payments (
    transaction_id TEXT PRIMARY KEY,
    attempt_id TEXT NOT NULL,
    -- The request to the service, as JSON.
    request TEXT NOT NULL,
    -- The service's record of the payment, as JSON.
    record TEXT NOT NULL,
    found_at BIGINT NOT NULL,
    -- How often its settlement was tried.
    tries BIGINT NOT NULL,
    -- When the next try may begin.
    due_at BIGINT NOT NULL
);
CREATE INDEX surplus_payments_due ON surplus_payments (due_at);
