UPDATE orders SET packed_at = now()
WHERE invoice_number = (
    SELECT invoice_number FROM orders
    WHERE paid_by IS NOT NULL AND cancelled_at IS NULL AND packed_at IS NULL
    LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING invoice_number;
