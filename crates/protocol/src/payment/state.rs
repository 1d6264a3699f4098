//! What the status of a payment means to the operator of the proxy.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use strum::{EnumString, IntoStaticStr};

/// What the status of a payment means: the field `state`, which the proxy adds to the service's record.
///
/// The service documents one status only, so the operator of the proxy says which statuses mean "pending", "underpaid",
/// "paid" and "closed". A record without the field is not interpreted.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, Serialize,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PaymentState {
    /// Waits for money.
    Open,
    /// Money is seen and waits for its confirmation: there is nothing more to pay.
    Pending,
    /// Less than the amount has arrived. How much is missing is not documented, so no amount is asked for.
    Underpaid,
    /// Paid: there is nothing more to pay.
    Paid,
    /// Ended without being paid: no money may be sent to it any more.
    Closed,
    /// It may have ended: its cancellation is not confirmed, or its status has changed and is that of its creation again. No
    /// money should be sent to it.
    Unknown,
}

impl PaymentState {
    /// The name of the field in a record.
    pub const FIELD: &str = "state";

    /// The name of the field that is `true` if another payment of the order is paid. Then nothing is to be paid to this one.
    pub const ORDER_PAID: &str = "orderPaid";

    /// The name of the field that is `true` if money was seen for another payment of the order: no page asks for money then.
    pub const ORDER_SEEN: &str = "orderSeen";

    /// Reads the value of the field. Any other word is no state, because it can't be interpreted.
    pub fn parse(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// The state as text.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Reads the field of a record. A value that is no word is no state either.
pub(super) fn state<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PaymentState>, D::Error> {
    let json = Box::<RawValue>::deserialize(deserializer)?;
    let word: Option<String> = serde_json::from_str(json.get()).ok();
    Ok(word.as_deref().and_then(PaymentState::parse))
}
