//! What is known of a payment beyond its record.

use serde::{Deserialize, Serialize};

use super::sent::SentMark;
use crate::asset::TransactionHash;

/// What is known of a payment beyond its record. The tab saves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent fact, and a field of the saved JSON"
)]
pub struct Facts {
    /// What this tab may do with the payment.
    pub access: Access,
    /// Whether another payment of the order is paid.
    pub is_order_paid: bool,
    /// Whether money was seen for another payment of the order.
    pub is_order_seen: bool,
    /// Whether the payment was paid after it had been closed.
    pub is_late: bool,
    /// Whether the status has changed since the payment was created.
    #[serde(rename = "hasMoved")]
    pub has_status_changed: bool,
    /// Whether the latest record contradicts the payment.
    pub latest: LatestRecord,
    /// The hash of the buyer's transaction.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub transaction: Option<TransactionHash>,
    /// Whether the buyer typed the hash and may change it: the status has not changed since.
    pub may_edit_hash: bool,
    /// Whether the buyer has said on this page that money was sent.
    pub said_sent: bool,
    /// Whether the proxy has a mark that money may have been sent, which is not known to be this page's.
    pub is_marked: bool,
    /// Whether the buyer has said on this page that nothing was sent, although another page has marked the payment.
    pub ignores_marks: bool,
    /// The secret of this page's mark.
    #[serde(rename = "sentMark")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub mark: SentMark,
    /// Whether a request to cancel may have cancelled the payment.
    pub is_cancel_unclear: bool,
    /// Whether the buyer has chosen another token, when the order already had this payment.
    pub is_other_token: bool,
}

/// What a tab may do with a payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Access {
    /// It has created the payment, or the buyer has said that nothing was sent: it may cancel and replace it.
    #[default]
    Owned,
    /// It has found the payment by its order, or a repeated request has returned it, so that another tab or device may have
    /// paid it. It may cancel the payment, and replaces it only after the buyer has said that no money was sent.
    Found,
    /// It has found the payment by an order whose `exp` is over: its receipt only reads.
    ReadOnly,
}

/// What the latest polled or streamed record says about the payment. The page does not say where to send
/// money while they contradict each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum LatestRecord {
    /// The same amount, token, invoice and wallet, or no record has followed.
    #[default]
    Consistent,
    /// Another amount, token, invoice or wallet. Its status may be that of another payment.
    Contradictory,
}

/// Whether the buyer still has to pay, as far as this page knows: the last of these that applies. The page asks for money only while it
/// is `Open`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentProgress {
    /// Nothing suggests that the buyer has paid.
    Open,
    /// The status has changed. The meaning of other statuses is not documented: the buyer may have paid.
    StatusChanged,
    /// Money may have been sent: the proxy has a mark, which is not known to be this page's.
    Marked,
    /// Money may have been sent: the buyer has said so on this page.
    SaidSent,
    /// The buyer's transaction is known.
    Sent,
}

impl Facts {
    /// Whether the buyer still has to pay.
    pub const fn progress(&self) -> PaymentProgress {
        if self.transaction.is_some() {
            PaymentProgress::Sent
        } else if self.said_sent {
            PaymentProgress::SaidSent
        } else if self.is_marked {
            PaymentProgress::Marked
        } else if self.has_status_changed {
            PaymentProgress::StatusChanged
        } else {
            PaymentProgress::Open
        }
    }

    /// Whether the buyer may change or remove the hash, or enter one.
    pub const fn may_edit_hash(&self) -> bool {
        self.transaction.is_none() || self.may_edit_hash
    }
}
