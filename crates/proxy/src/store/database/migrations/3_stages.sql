-- For both SQLite and PostgreSQL.

-- The same two indexes as before. SQLite evaluates the condition of a partial index for each row that it writes, and builds
-- a temporary table for an IN list of more than two values.
DROP INDEX attempts_open_of_order;
CREATE UNIQUE INDEX attempts_open_of_order ON attempts (order_id) WHERE stage NOT IN ('ended', 'refused');
DROP INDEX attempts_unresolved;
CREATE INDEX attempts_unresolved ON attempts (written_at)
    WHERE stage NOT IN ('ended', 'refused') AND stage <> 'created';
