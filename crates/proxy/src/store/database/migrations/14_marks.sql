-- For both SQLite and PostgreSQL. Times are milliseconds since 1970 on the database's clock.

-- Marks that money may have been sent, by the digests that their pages chose. A mark of an older version stands until the merchant
-- removes it: its digest is made in another way.
CREATE TABLE marks (
    transaction_id TEXT NOT NULL,
    -- SHA-256 of the secret that removes the mark, in hexadecimal digits. Empty if only the merchant can remove it.
    digest TEXT NOT NULL,
    -- 1 if no other mark stood when it was set.
    is_first BIGINT NOT NULL DEFAULT 0,
    written_at BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, digest)
);
INSERT INTO marks (transaction_id, digest, written_at) SELECT transaction_id, digest, written_at FROM sent_marks;
DROP TABLE sent_marks;
ALTER TABLE marks RENAME TO sent_marks;
