-- What a database of version 8 contains besides its tables: orders for which money was seen, one with two payments, one that
-- was released, one that is marked, and one that is closed and was erased; and a notification that was not sent yet.

INSERT INTO attempts (id, order_id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, settles_at,
    transaction_id, record, written_at, kept_until, released)
VALUES ('paid-1', '3e5ef2b3adf326e413202c1f242a15db429e98a163513a84e856eefbb74e6065', 'f', '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-PAID"}', 1792000000000, 'ended', 1, 0,
    1792000000000, 1792000000000, 'paid-1', '{"transactionId":"paid-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-PAID","statusId":"7","statusText":"Created","wallet":"T"}',
    1792000000000, 9000000000000, 0),
('twice-1', 'ce5c64f58341636c1a7034124b945a9380a7746b4d1e81844f9ad7e987ecfe3b', 'f', '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-TWICE"}', 1792000000000, 'ended', 1, 0,
    1792000000000, 1792000000000, 'twice-1', '{"transactionId":"twice-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-TWICE","statusId":"7","statusText":"Created","wallet":"T"}',
    1792000000000, 9000000000000, 0),
('twice-2', 'ce5c64f58341636c1a7034124b945a9380a7746b4d1e81844f9ad7e987ecfe3b', 'f', '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-TWICE"}', 1792000000000, 'created', 1, 0,
    1792000000000, 1792000000000, 'twice-2', '{"transactionId":"twice-2","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-TWICE","statusId":"7","statusText":"Created","wallet":"T"}',
    1792000000000, 9000000000000, 0),
('seen-1', '107e1636f7d855101a5adb2e673467f0d42690512e7238748be4df7d13389f78', 'f', '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-SEEN"}', 1792000000000, 'ended', 1, 0,
    1792000000000, 1792000000000, 'seen-1', '{"transactionId":"seen-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-SEEN","statusId":"7","statusText":"Created","wallet":"T"}',
    1792000000000, 9000000000000, 0),
('released-1', '7968d870c94747b831b8c6b74e6a6ef52592e511d90c41f5478cd41d6de29e74', 'f', '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-RELEASED"}', 1792000000000, 'ended', 1, 0,
    1792000000000, 1792000000000, 'released-1', '{"transactionId":"released-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-RELEASED","statusId":"7","statusText":"Created","wallet":"T"}',
    1792000000000, 9000000000000, 1),
('marked-1', '3b74adef1582e670ee3fbff0cc756f10dd1d427e479b5aa44e9e1f5a59f86d8b', 'f', '{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-MARKED"}', 1792000000000, 'created', 1, 0,
    1792000000000, 1792000000000, 'marked-1', '{"transactionId":"marked-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-MARKED","statusId":"1","statusText":"Created","wallet":"T"}',
    1792000000000, 9000000000000, 0),
('closed-1', 'd88fe2993868bc81c16d41bdd3c0a3586b1c74847d142d5b27b4b53258abca28', 'f', '', 1792000000000, 'created', 1, 0,
    1792000000000, 1792000000000, 'closed-1', NULL, 1792000000000, 9000000000000, 0);

INSERT INTO sent_marks (digest, transaction_id, written_at)
VALUES ('d14bf6de6ed0a4b7f2c8f3b4f3f7c6b9ac03b1f4bd9c0a5f5b8a83a1b6fe6a01', 'marked-1', 1792000000000);

INSERT INTO payments (transaction_id, record, event_id, wanted_until, ending, kept_until)
VALUES ('paid-1', '{"transactionId":"paid-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-PAID","statusId":"7","statusText":"Paid","wallet":"T"}',
    0, 0, 'paid', 9000000000000),
('twice-1', '{"transactionId":"twice-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-TWICE","statusId":"7","statusText":"Cancelled","wallet":"T"}',
    0, 0, 'order-paid', 9000000000000),
('twice-2', '{"transactionId":"twice-2","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-TWICE","statusId":"7","statusText":"Paid","wallet":"T"}',
    0, 0, 'paid', 9000000000000),
('seen-1', '{"transactionId":"seen-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-SEEN","statusId":"7","statusText":"Cancelled","wallet":"T"}',
    0, 0, 'seen', 9000000000000),
('released-1', '{"transactionId":"released-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-RELEASED","statusId":"7","statusText":"Partly","wallet":"T"}',
    0, 0, 'underpaid', 9000000000000),
('marked-1', '{"transactionId":"marked-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-MARKED","statusId":"1","statusText":"Created","wallet":"T"}',
    0, 0, NULL, 9000000000000),
('closed-1', '{"transactionId":"closed-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-CLOSED","statusId":"7","statusText":"Expired","wallet":"T"}',
    0, 0, 'closed', 9000000000000);

INSERT INTO outbox (id, transaction_id, position, kind, record, ending, written_at, state, tries, due_at, fence, lease_until)
VALUES ('msg_ffffffffffff', 'twice-1', 1, 'payment.updated',
    '{"transactionId":"twice-1","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80,"invoiceNumber":"INV-TWICE","statusId":"7","statusText":"Cancelled","wallet":"T"}',
    'order-paid', 1792000000000, 'waiting', 0, 0, 0, 0);

INSERT INTO notifications (digest, invoice_number, first_at, received_at, times)
VALUES ('1', 'INV-MARKED', 1900000000000, 1900000000000, 2), ('2', 'INV-MARKED', 1899990000000, 1900000000000, 1),
('3', NULL, 1900000000000, 1900000000000, 1);
