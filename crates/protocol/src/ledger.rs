//! What the proxy knows of payments beyond the service's list, for the merchant: the answer of
//! [`path::LEDGER`](crate::path::LEDGER).

use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(default)]
    pub notifications: u32,
}

/// An order whose outcome is not known: the service was asked, and the answer was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reconciling {
    /// The merchant's invoice identifier.
    #[serde(default)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Whether the service created the payment.
    CreateUnanswered,
    /// Whether the service cancelled the payment.
    CancelUnanswered,
    /// The reason of a newer proxy.
    #[serde(other)]
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

impl Ledger {
    /// Reads the answer.
    ///
    /// # Errors
    /// [`RecordError`], naming the field that is missing or unreadable.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        let answer = Record::parse(json, "what the proxy knows of payments")?;
        let fields: LedgerFields = answer.read(LEDGER)?;
        let payments = fields.payments.iter();
        let reconciling = fields.reconciling.iter();
        Ok(Self {
            payments: payments
                .map(|record| record.read(LEDGER))
                .collect::<Result<_, _>>()?,
            reconciling: reconciling
                .map(|record| record.read(LEDGER))
                .collect::<Result<_, _>>()?,
            more: fields.more,
        })
    }
}

/// The name of these records in errors.
const LEDGER: &str = "ledger";

/// The fields of the answer on the wire.
#[derive(Deserialize)]
struct LedgerFields {
    payments: Vec<Record>,
    reconciling: Vec<Record>,
    #[serde(default)]
    more: bool,
}
