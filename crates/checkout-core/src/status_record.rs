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
    /// What is known of the order's other payments.
    pub order_money: Option<OrderMoney>,
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

/// Money for another payment of the order. While there is any, nothing is to be paid to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderMoney {
    /// It was seen.
    Seen,
    /// The other payment is paid.
    Paid,
}

impl OrderMoney {
    /// What a record says of it.
    pub(crate) fn of(record: &Record) -> Option<Self> {
        if record.is_true(PaymentState::ORDER_PAID) {
            Some(Self::Paid)
        } else {
            record
                .is_true(PaymentState::ORDER_SEEN)
                .then_some(Self::Seen)
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
            order_money: OrderMoney::of(record),
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
