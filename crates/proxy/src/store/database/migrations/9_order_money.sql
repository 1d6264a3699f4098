-- For both SQLite and PostgreSQL.

-- The payments of signed orders for which money was seen. A row outlives the payment's record: it is kept as long as its attempt.
CREATE TABLE order_money (
    transaction_id TEXT PRIMARY KEY,
    -- Digest of the order's invoice number.
    order_id TEXT NOT NULL,
    -- seen, paid
    money TEXT NOT NULL,
    -- 1 if the merchant has released the order since.
    released BIGINT NOT NULL
);
CREATE INDEX order_money_of_order ON order_money (order_id);

INSERT INTO order_money (transaction_id, order_id, money, released)
SELECT payments.transaction_id, order_id, CASE WHEN ending = 'paid' THEN 'paid' ELSE 'seen' END,
    CASE WHEN ending = 'paid' THEN 0 ELSE released END
FROM attempts JOIN payments ON payments.transaction_id = attempts.transaction_id
WHERE order_id IS NOT NULL AND ending IN ('pending', 'seen', 'underpaid', 'paid');

-- Whether another payment of its order is paid is no ending of a payment any more.
UPDATE payments SET ending = 'closed' WHERE ending = 'order-paid';
-- The most that was seen for another payment of the order by then: seen, paid; NULL if nothing was.
ALTER TABLE outbox ADD COLUMN of_order TEXT;
UPDATE outbox SET ending = 'closed', of_order = 'paid' WHERE ending = 'order-paid';
