CREATE TABLE orders (
    invoice_number text PRIMARY KEY,
    -- As the shop signs it.
    token text NOT NULL,
    -- NULL if the payer chooses the amount.
    quantity numeric,
    cancelled_at timestamptz,
    -- The transactionId of the payment that paid it.
    paid_by text UNIQUE,
    packed_at timestamptz
);

CREATE TABLE notifications (
    webhook_id text PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now(),
    body jsonb NOT NULL,
    -- What a person has to look at.
    question text
);

-- Returns what a person has to look at.
CREATE FUNCTION receive_notification(id text, event jsonb, allow_test_mode boolean DEFAULT false) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    payment jsonb := event -> 'data';
    signed jsonb := payment -> 'order';
    sold orders;
    asked text;
BEGIN
    -- A concurrent repeat waits here until the first is committed.
    INSERT INTO notifications (webhook_id, body) VALUES (id, event) ON CONFLICT DO NOTHING;
    IF NOT FOUND OR event ->> 'type' IS DISTINCT FROM 'payment.paid' OR payment ->> 'state' IS DISTINCT FROM 'paid' THEN
        RETURN NULL;
    END IF;

    SELECT * INTO sold FROM orders WHERE invoice_number = signed ->> 'invoiceNumber' FOR UPDATE;
    IF payment ? 'testMode' AND NOT allow_test_mode THEN
        asked := 'test mode';
    ELSIF signed IS NULL THEN
        asked := 'no signed order';
    ELSIF sold.invoice_number IS NULL THEN
        asked := 'no such order';
    ELSIF sold.paid_by = payment ->> 'transactionId' THEN
        RETURN NULL;
    ELSIF sold.paid_by IS NOT NULL THEN
        asked := 'second payment';
    ELSIF sold.cancelled_at IS NOT NULL THEN
        asked := 'cancelled order';
    ELSIF sold.token IS DISTINCT FROM signed ->> 'token'
        OR (sold.quantity IS NOT NULL AND sold.quantity IS DISTINCT FROM (signed ->> 'quantity')::numeric) THEN
        asked := 'other amount';
    ELSE
        UPDATE orders SET paid_by = payment ->> 'transactionId' WHERE invoice_number = sold.invoice_number;
    END IF;
    UPDATE notifications SET question = asked WHERE webhook_id = id;
    RETURN asked;
END
$$;
