-- ANCHOR: notifications
CREATE TABLE orders (
    invoice_number text PRIMARY KEY,
    -- As the shop signs it.
    token text NOT NULL,
    -- NULL if the payer chooses the amount.
    quantity numeric,
    -- The `exp` of the order as it was signed last.
    valid_until timestamptz NOT NULL,
    cancelled_at timestamptz,
    -- The transactionId of the payment that paid it.
    paid_by text UNIQUE,
    packed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE notifications (
    webhook_id text PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now(),
    -- As it arrived. `jsonb` would refuse a body with "\u0000", and the proxy would repeat it for days.
    body text NOT NULL,
    -- What a person has to look at.
    question text
);

-- JSON in which U+FFFD takes the place of what PostgreSQL can't read: "\u0000", and halves of surrogate pairs.
CREATE FUNCTION readable(body text) RETURNS json
LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace(
        replace(replace(body, '\\', '\u005c'), '\u0000', '\ufffd'),
        '\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]..',
        '\\ufffd', 'g'
    )::json
$$;

-- Returns what a person has to look at.
CREATE FUNCTION receive_notification(id text, body text, allow_test_mode boolean DEFAULT false) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    event json := readable(body);
    payment json := event -> 'data';
    signed json := payment -> 'order';
    sold orders;
    asked text;
BEGIN
    -- A concurrent repeat waits here until the first is committed.
    INSERT INTO notifications (webhook_id, body) VALUES (id, body) ON CONFLICT DO NOTHING;
    IF NOT FOUND OR event ->> 'type' IS DISTINCT FROM 'payment.paid' OR payment ->> 'state' IS DISTINCT FROM 'paid' THEN
        RETURN NULL;
    END IF;

    SELECT * INTO sold FROM orders WHERE invoice_number = signed ->> 'invoiceNumber' FOR UPDATE;
    IF payment -> 'testMode' IS NOT NULL AND NOT allow_test_mode THEN
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
    ELSIF sold.quantity IS NOT NULL AND signed ->> 'itemNumber' ~ '^[0.]+$' THEN
        -- Whatever `quantity` says.
        asked := 'amount chosen by the payer';
    ELSE
        UPDATE orders SET paid_by = payment ->> 'transactionId' WHERE invoice_number = sold.invoice_number;
    END IF;
    UPDATE notifications SET question = asked WHERE webhook_id = id;
    RETURN asked;
END
$$;
-- ANCHOR_END: notifications

-- ANCHOR: reconcile
-- Unpaid an hour after they were made, as long as the proxy remembers them.
CREATE VIEW pending_orders AS
SELECT invoice_number FROM orders
WHERE paid_by IS NULL AND cancelled_at IS NULL
    AND created_at < now() - interval '1 hour' AND valid_until > now() - interval '30 days';

-- Keeps a question about an order, and returns it if it is new.
CREATE FUNCTION ask(invoice text, about json, question text) RETURNS text
LANGUAGE sql AS $$
    INSERT INTO notifications (webhook_id, body, question)
    VALUES (concat_ws(' ', 'order:', invoice, about ->> 'transactionId', about ->> 'since', question), about::text, question)
    ON CONFLICT DO NOTHING
    RETURNING notifications.question
$$;

-- Takes the paid payments in the proxy's answer about an order for notifications of them. Returns what a person has to look at.
CREATE FUNCTION reconcile(invoice text, answer text, allow_test_mode boolean DEFAULT false) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    known json := readable(answer);
    item json;
    state text;
    asked text;
BEGIN
    FOR item IN SELECT json_array_elements(known -> 'payments') LOOP
        state := item ->> 'state';
        asked := NULL;
        IF state = 'paid' AND item #>> '{order,invoiceNumber}' = invoice THEN
            asked := receive_notification(
                'order:' || (item ->> 'transactionId'),
                json_build_object('type', 'payment.paid', 'data', item)::text,
                allow_test_mode
            );
        ELSIF state = 'paid' THEN
            -- Anyone can choose the invoice number of an unsigned payment.
            asked := ask(invoice, item, 'paid, but not signed for this order');
        ELSIF state = 'underpaid' THEN
            asked := ask(invoice, item, 'too little was paid');
        ELSIF state IS DISTINCT FROM 'pending' AND item ->> 'sent' <> '0' THEN
            asked := ask(invoice, item, 'money may have been sent');
        ELSIF state = 'unknown' THEN
            asked := ask(invoice, item, 'what became of it is not known');
        END IF;
        RETURN QUERY SELECT asked WHERE asked IS NOT NULL;
    END LOOP;
    FOR item IN SELECT json_array_elements(known -> 'doubts') LOOP
        -- Later ones may end by themselves.
        CONTINUE WHEN (item ->> 'since')::timestamptz > now() - interval '1 hour';
        asked := ask(invoice, item, 'in doubt: ' || (item ->> 'reason'));
        RETURN QUERY SELECT asked WHERE asked IS NOT NULL;
    END LOOP;
    IF EXISTS (
        SELECT FROM orders
        WHERE invoice_number = invoice AND created_at < (known ->> 'memorySince')::timestamptz
    ) AND NOT EXISTS (
        SELECT FROM json_array_elements(known -> 'payments') AS payment WHERE payment ->> 'state' = 'paid'
    ) THEN
        asked := ask(invoice, json_build_object('since', known ->> 'memorySince'), 'the proxy may not know its payment');
        RETURN QUERY SELECT asked WHERE asked IS NOT NULL;
    END IF;
END
$$;
-- ANCHOR_END: reconcile
