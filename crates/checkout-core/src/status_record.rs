//! A later record of a payment, as it is polled, streamed or returned by cancel.

use tender_protocol::found::SENT;
use tender_protocol::{Amount, PaymentState, Record, RecordError, Status};

/// What a later record says about a payment. A field that is absent or unreadable is `None`, because a
/// record with an unusual field must still end a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusRecord {
    /// The payment.
    pub transaction_id: String,
    /// Its status; `None` if the record has none.
    pub status: Option<Status>,
    /// What the status means; `None` if the proxy does not say.
    pub state: Option<PaymentState>,
    /// Whether another payment of the order is paid.
    pub is_order_paid: bool,
    /// Whether money was seen for another payment of the order.
    pub is_order_seen: bool,
    /// Whether the proxy has a mark that money may have been sent.
    pub is_sent: bool,
    /// Currency of `quantity`.
    pub token: Option<String>,
    /// Currency of `quantity_pay`.
    pub payment_token: Option<String>,
    /// The price.
    pub quantity: Option<Amount>,
    /// The amount to pay.
    pub quantity_pay: Option<Amount>,
    /// The merchant's invoice identifier.
    pub invoice_number: Option<String>,
    /// The wallet to pay.
    pub wallet: Option<String>,
}

impl StatusRecord {
    /// Reads a record.
    ///
    /// # Errors
    /// [`RecordError`] if it is no record, or has no `transactionId`.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Self::try_from(&Record::parse(json, "a payment record")?)
    }

    /// Whether a successful cancel response with this record means that the payment is cancelled. The documentation does
    /// not give the status of a cancelled payment, so only the proxy's `state` says otherwise.
    pub fn is_cancelled(&self) -> bool {
        match self.state {
            Some(PaymentState::Open | PaymentState::Closed) | None => true,
            Some(
                PaymentState::Pending
                | PaymentState::Underpaid
                | PaymentState::Paid
                | PaymentState::Unknown,
            ) => false,
        }
    }
}

/// Whether money has arrived for a payment in this state.
pub(crate) fn has_arrived(state: PaymentState) -> bool {
    match state {
        PaymentState::Pending | PaymentState::Underpaid | PaymentState::Paid => true,
        PaymentState::Open | PaymentState::Closed | PaymentState::Unknown => false,
    }
}

impl TryFrom<&Record> for StatusRecord {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let text = |field| record.text(field).unwrap_or_default();
        let amount = |field| record.text(field)?.trim().parse().ok();
        let state = record.string(PaymentState::FIELD);
        Ok(Self {
            transaction_id: record.text("transactionId").ok_or(RecordError::Missing {
                record: "payment",
                field: "transactionId",
            })?,
            status: Status::new(&text("statusId"), &text("statusText")),
            state: state.as_deref().and_then(PaymentState::parse),
            is_order_paid: record.is_true(PaymentState::ORDER_PAID),
            is_order_seen: record.is_true(PaymentState::ORDER_SEEN),
            is_sent: record.is_true(SENT),
            token: record.text("token"),
            payment_token: record.text("paymentToken"),
            quantity: amount("quantity"),
            quantity_pay: amount("quantityPay"),
            invoice_number: record.text("invoiceNumber"),
            wallet: record.text("wallet"),
        })
    }
}
