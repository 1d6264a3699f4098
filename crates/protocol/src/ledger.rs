//! What the proxy knows of payments beyond the service's list, for the merchant: the answer of
//! [`path::LEDGER`](crate::path::LEDGER).

use serde::Serialize;

use crate::amount::Amount;
use crate::record::{Record, RecordError};

/// The most payments that one request may ask about.
pub const MAX_ASKED: usize = 100;

/// What the proxy knows. Times are RFC 3339, in UTC, on the clock of the proxy's database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// Those of the payments asked about of which something is known, in no order.
    pub payments: Vec<KnownPayment>,
    /// Orders whose outcome is not known yet, the newest first; a bounded number of them.
    pub reconciling: Vec<Reconciling>,
    /// Whether there are more of those.
    pub more: bool,
}

/// What is known of a payment. That something is not known does not say that it was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownPayment {
    /// Payment identifier.
    pub transaction_id: String,
    /// How many attempts there were to pay its order: for each choice of a token, and each time that
    /// the service refused, one. A request that was repeated is not another attempt. Without a signed
    /// order an attempt stands alone. Absent where the payment was not created through the proxy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// When the first of them began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_attempt_at: Option<String>,
    /// When the first notification came that named its invoice; null where none has come.
    pub notified_at: Option<String>,
    /// How many notifications named its invoice. Payments of one invoice share them: a notification
    /// is documented to carry the invoice number, and nothing more.
    pub notifications: u32,
}

/// An order whose outcome is not known: the service was asked, and the answer was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reconciling {
    /// The merchant's invoice identifier.
    pub invoice_number: String,
    /// Code of the token in which `quantity` is expressed, as the request carried it.
    pub token: String,
    /// Code of the token in which the buyer is charged.
    pub payment_token: String,
    /// The price, in `token`.
    pub quantity: Amount,
    /// The payment, where there is one already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// Of a lost answer to create, from when on the service may have created the payment; of a lost
    /// answer to cancel, when it was tried last.
    pub since: String,
    /// What is not known.
    pub reason: Reason,
}

/// What is not known of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Whether the service created the payment.
    CreateUnanswered,
    /// Whether the service cancelled the payment.
    CancelUnanswered,
    /// The reason of a newer proxy.
    Unknown,
}

impl Reason {
    /// The reason as it stands on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CreateUnanswered => "create-unanswered",
            Self::CancelUnanswered => "cancel-unanswered",
            Self::Unknown => "unknown",
        }
    }
}

impl From<&str> for Reason {
    fn from(text: &str) -> Self {
        let known = [Self::CreateUnanswered, Self::CancelUnanswered];
        let known = known.into_iter().find(|reason| reason.as_str() == text);
        known.unwrap_or(Self::Unknown)
    }
}

impl Ledger {
    /// Reads the answer.
    ///
    /// # Errors
    /// [`RecordError`], naming the field that is missing or unreadable.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        let answer = Record::parse(json, "what the proxy knows of payments")?;
        let more = answer.is_true("more");
        let fields = answer.reader("ledger");
        Ok(Self {
            payments: all(&fields.records("payments")?)?,
            reconciling: all(&fields.records("reconciling")?)?,
            more,
        })
    }
}

fn all<'a, T: TryFrom<&'a Record>>(records: &'a [Record]) -> Result<Vec<T>, T::Error> {
    records.iter().map(T::try_from).collect()
}

impl TryFrom<&Record> for KnownPayment {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let fields = record.reader("ledger");
        Ok(Self {
            transaction_id: fields.required_text("transactionId")?,
            attempts: fields.parsed("attempts")?,
            first_attempt_at: fields.text("firstAttemptAt")?,
            notified_at: fields.text("notifiedAt")?,
            notifications: fields.parsed("notifications")?.unwrap_or(0),
        })
    }
}

impl TryFrom<&Record> for Reconciling {
    type Error = RecordError;

    fn try_from(record: &Record) -> Result<Self, RecordError> {
        let fields = record.reader("ledger");
        Ok(Self {
            invoice_number: fields.text("invoiceNumber")?.unwrap_or_default(),
            token: fields.required_text("token")?,
            payment_token: fields.required_text("paymentToken")?,
            quantity: fields.required_amount("quantity")?,
            transaction_id: fields.text("transactionId")?,
            since: fields.required_text("since")?,
            reason: Reason::from(&*fields.required_text("reason")?),
        })
    }
}
