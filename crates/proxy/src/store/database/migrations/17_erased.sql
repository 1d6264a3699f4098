-- For both SQLite and PostgreSQL.

-- 1 if the data of the buyer was erased. Of a signed order, the request and the records stay without it.
ALTER TABLE attempts ADD COLUMN erased BIGINT NOT NULL DEFAULT 0;
UPDATE attempts SET erased = 1 WHERE request = '';
-- An older version has erased their requests. The order of a closed payment can be paid again, unless money may have been sent for it.
UPDATE attempts SET stage = 'ended'
WHERE stage = 'created' AND request = '' AND fingerprint <> ''
    AND transaction_id IN (SELECT transaction_id FROM payments WHERE ending = 'closed')
    AND NOT EXISTS (SELECT 1 FROM sent_marks WHERE sent_marks.transaction_id = attempts.transaction_id);
