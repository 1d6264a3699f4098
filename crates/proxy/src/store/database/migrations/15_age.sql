-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- A single row: the time that does not count for what is kept, because the proxy did not run, or because the clock jumped.
CREATE TABLE age (
    -- When this was counted last; 0 if it never was.
    counted_at BIGINT NOT NULL,
    -- The sum of these times.
    lag BIGINT NOT NULL
);
INSERT INTO age (counted_at, lag) VALUES (0, 0);
