-- What a database of version 4 contains besides its tables.

-- An order whose payment is being cancelled; the answer was lost.
INSERT INTO attempts (id, order_id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, settles_at,
    transaction_id, record, written_at, kept_until)
VALUES ('cancelling', '06ddb15cfe84384a5d014adaa5b20d2a3a871038a467f55851aea525c8f21795', 'f1',
    '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-CANCEL"}', 1792000000000, 'cancelling', 3, 0,
    1792000000000, 1792000000000, 'cancelling-1',
    '{"transactionId":"cancelling-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-CANCEL","statusId":"1","statusText":"Created","wallet":"T"}',
    1792000000000, 9000000000000);
INSERT INTO payments (transaction_id, record, event_id, wanted_until, ending, kept_until)
VALUES ('cancelling-1',
    '{"transactionId":"cancelling-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-CANCEL","statusId":"1","statusText":"Created","wallet":"T"}',
    0, 0, 'closed', 9000000000000);

-- An attempt that an instance works on.
INSERT INTO attempts (id, order_id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, settles_at,
    written_at, kept_until)
VALUES ('leased', 'dc5577a34e4a8c9c4f1535470cef8580e6af1546c85fccf441b9ea7f912d11cc', 'f2',
    '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-LEASE"}', 1792000000000, 'requested', 7,
    9000000000000, 1792000000000, 1792000000000, 1792000000000, 9000000000000);
INSERT INTO attempt_keys (idempotency_key, request_digest, attempt_id) VALUES ('key-1', 'digest', 'leased');

-- A payment that was created too late, for an attempt that is known no more.
INSERT INTO surplus_payments (transaction_id, attempt_id, request, record, found_at, tries, due_at)
VALUES ('late-1', 'gone', '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-LATE"}',
    '{"transactionId":"late-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-LATE","statusId":"1","statusText":"Created","wallet":"T"}',
    1792000000000, 3, 9000000000000);

-- Past orders: the outcome of one is unknown, and the payment of the other is cancelled.
INSERT INTO past_attempts (id, order_id, fingerprint, stage, transaction_id, begun_at, written_at)
VALUES ('past', '5043b894b0fb18cd22ad10b80347b569e99b5a5f7fe7cbc2643b606beb751a51', 'f3', 'requested', NULL, 1790000000000,
        9000000000000),
    ('past-ended', 'another', 'f4', 'ended', 'past-1', 1790000000000, 9000000000000);
