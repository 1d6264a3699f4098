-- ANCHOR: notifications
CREATE TABLE orders (
    invoice_number text PRIMARY KEY,
    -- As the shop signs it.
    token text NOT NULL,
    -- NULL if the payer chooses the amount.
    quantity numeric,
    cancelled_at timestamptz,
    -- The transactionId of the payment that paid it.
    paid_by text UNIQUE,
    packed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
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
-- ANCHOR_END: notifications

-- ANCHOR: reconcile
-- Unpaid an hour after they were made, and not so old that the proxy has forgotten them.
CREATE VIEW pending_orders AS
SELECT invoice_number FROM orders
WHERE paid_by IS NULL AND cancelled_at IS NULL
    AND created_at BETWEEN now() - interval '30 days' AND now() - interval '1 hour';

-- Takes the paid payments in the proxy's answer about an order for notifications of them. Returns what a person has to look at.
CREATE FUNCTION reconcile(invoice text, answer jsonb, allow_test_mode boolean DEFAULT false) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    payment jsonb;
    asked text;
BEGIN
    FOR payment IN SELECT jsonb_array_elements(answer -> 'payments') LOOP
        -- An unsigned payment is not this order's: anyone can choose its invoice number.
        CONTINUE WHEN payment ->> 'state' IS DISTINCT FROM 'paid';
        CONTINUE WHEN payment #>> '{order,invoiceNumber}' IS DISTINCT FROM invoice;
        asked := receive_notification(
            'order:' || (payment ->> 'transactionId'),
            jsonb_build_object('type', 'payment.paid', 'data', payment),
            allow_test_mode
        );
        IF asked IS NOT NULL THEN
            RETURN NEXT asked;
        END IF;
    END LOOP;
END
$$;
-- ANCHOR_END: reconcile
