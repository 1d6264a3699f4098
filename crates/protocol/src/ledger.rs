//! What the proxy knows about payments in addition to the service's list, for the merchant: the
//! response of [`path::LEDGER`](crate::path::LEDGER).

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::amount::Amount;
use crate::payment_link::LinkLimits;
use crate::record::{Record, RecordError, flag, records};

/// Maximum number of payments in one request.
pub const MAX_ASKED: usize = 100;

/// What the proxy knows. Times are in UTC, as RFC 3339 writes them, from the clock of the proxy's database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ledger {
    /// The requested payments about which something is known, in no particular order.
    #[serde(deserialize_with = "records")]
    pub payments: Vec<KnownPayment>,
    /// Orders whose outcome is not known yet, newest first. Their number is limited.
    #[serde(deserialize_with = "records")]
    pub reconciling: Vec<Reconciling>,
    /// Whether there are more such orders.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub more: bool,
    /// Whether the proxy runs in test mode, so that its payments are without real money.
    #[serde(
        default,
        deserialize_with = "flag",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub test_mode: bool,
    /// The statuses of the service that no setting maps, as far as the proxy has seen them since it started: each `statusText`,
    /// or `statusId` where that is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmapped_statuses: Vec<String>,
    /// The limits of payment links, where the proxy makes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_links: Option<LinkLimits>,
}

/// What is known about a payment. An absent field means only that the proxy does not know it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KnownPayment {
    /// Payment identifier.
    pub transaction_id: String,
    /// Number of attempts to pay its order. Choosing another token counts as a new attempt, and so does
    /// trying again after the service refused; repeating a request does not. Without a signed order, it
    /// is 1. Absent if the payment was not created through the proxy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// Time of the first attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_attempt_at: Option<String>,
    /// Time of the first notification with its invoice number; null if there was none.
    pub notified_at: Option<String>,
    /// Number of notifications with its invoice number. Payments with the same invoice number share
    /// them, because nothing else is documented to be in a notification.
    #[serde(default)]
    pub notifications: u32,
    /// Number of marks that money may have been sent for it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sent: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// An order whose outcome is not known: a request was sent to the service, and its response was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reconciling {
    /// The merchant's invoice identifier.
    #[serde(default)]
    pub invoice_number: String,
    /// Code of the token in which `quantity` is expressed, as it was in the request.
    pub token: String,
    /// Code of the token in which the buyer is charged.
    pub payment_token: String,
    /// The price, in `token`.
    pub quantity: Amount,
    /// The payment, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// When the create request was sent, or the last cancel request.
    pub since: String,
    /// Which outcome is unknown.
    pub reason: Reason,
}

/// Which outcome of an order is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Reason {
    /// Whether the service created the payment.
    CreateUnanswered,
    /// Whether the payment is the order's: the service's response contradicts the request.
    CreateContradictory,
    /// What became of the payment: the service's list contradicts what it was at its creation.
    ListContradictory,
    /// Whether the service cancelled the payment.
    CancelUnanswered,
    /// Whether the payment is cancelled: the service created it late, when the order had another one.
    LateDuplicate,
    /// A reason from a newer version of the proxy.
    #[serde(other)]
    Unknown,
}

impl Reason {
    /// The name of the reason in JSON.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Ledger {
    /// Reads the response.
    ///
    /// # Errors
    /// [`RecordError`], which names the field that is missing or invalid.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Record::parse(json, "what the proxy knows of payments")?.read("ledger")
    }
}
