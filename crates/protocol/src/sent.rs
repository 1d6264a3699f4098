//! Marks that money may have been sent for a payment.

use serde::{Deserialize, Serialize};

/// How many marks a payment can have.
pub const MAX_MARKS: usize = 8;

/// The response to a mark, and the request to remove it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SentMark {
    /// Removes this mark, and no other one. Absent if the payment has eight marks already: only the merchant can remove
    /// the mark then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}
