//! Notifications to the shop's backend, for the merchant: the response of
//! [`path::DELIVERIES`](crate::path::DELIVERIES).

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::record::{Record, RecordError, records};

/// Maximum number of deliveries in one response, and of ids in one [`Resend`].
pub const MAX_DELIVERIES: usize = 100;

/// Deliveries, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Deliveries {
    /// At most 100.
    #[serde(deserialize_with = "records")]
    pub deliveries: Vec<Delivery>,
    /// Whether there are older ones; request them with `before` and the last id.
    #[serde(default)]
    pub more: bool,
}

impl Deliveries {
    /// Reads the response.
    ///
    /// # Errors
    /// [`RecordError`], which names the field that is missing or invalid.
    pub fn parse(json: &str) -> Result<Self, RecordError> {
        Record::parse(json, "notifications to the shop")?.read("deliveries")
    }
}

/// What has happened to a payment: the `type` of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(prefix = "payment.", serialize_all = "lowercase")]
pub enum EventKind {
    /// It was created.
    Created,
    /// Its record has changed, or it can be paid after all.
    Updated,
    /// Its state became `pending`.
    Pending,
    /// Its state became `underpaid`.
    Underpaid,
    /// Its state became `paid`.
    Paid,
    /// Its state became `closed`.
    Closed,
}

impl EventKind {
    /// The `type`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A notification and what became of it. Times are in UTC, as RFC 3339 writes them, from the clock of the
/// proxy's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Delivery {
    /// The `webhook-id`, the same in each try.
    pub id: String,
    /// `payment.created`, `payment.updated`, `payment.pending`, `payment.underpaid`, `payment.paid` or `payment.closed`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The payment.
    pub transaction_id: String,
    /// When the change was stored.
    pub written_at: String,
    /// What became of it.
    pub state: DeliveryState,
    /// How often it was sent since it was written, or since it was to be sent again.
    pub tries: u32,
    /// When it is sent next, at the earliest. Only while it is to be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<String>,
    /// The receiver's last answer, or why there was none; absent before the first try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// When the last try ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_at: Option<String>,
}

/// What became of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DeliveryState {
    /// It is to be sent, for the first time or again. Later ones of its payment wait for it.
    Waiting,
    /// It failed several times, and is sent again later. Later ones of its payment are sent without it.
    SetAside,
    /// The receiver answered 2xx.
    Delivered,
    /// It is not sent any more, unless the merchant resends it.
    GivenUp,
    /// A state from a newer version of the proxy.
    #[serde(other)]
    Unknown,
}

impl DeliveryState {
    /// The name of the state in JSON.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The body of a request to send notifications again: `ids`, `givenUp`, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Resend {
    /// The notifications, at most 100.
    #[serde(default)]
    pub ids: Vec<String>,
    /// Whether to send all that were given up.
    #[serde(default)]
    pub given_up: bool,
}

/// The response to a request to send notifications again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Resent {
    /// How many notifications will be sent again. Unknown ids don't count.
    pub resent: u64,
}
