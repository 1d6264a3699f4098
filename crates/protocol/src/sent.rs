//! Marks that money may have been sent for a payment.

use serde::{Deserialize, Serialize};

/// How many marks of a payment can be removed by their pages.
pub const MAX_MARKS: usize = 8;

/// The response to a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mark {
    /// Whether, when this mark was set, no other one stood, the payment's status was that of its creation, and no money was seen for
    /// the order. Only then may the page ask for the money.
    pub first: bool,
    /// Whether the secret removes it. If not, the payment had eight marks already, and only the merchant can remove this one.
    pub removable: bool,
}

/// The request to remove a mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MarkSecret {
    /// The secret of which the address has the digest.
    pub secret: String,
}
