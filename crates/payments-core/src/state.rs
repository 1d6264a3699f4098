//! The state of the element, as one enum.

mod cancellation;
mod dashboard;
mod deliveries;
mod older;
mod order_action;
mod payment_link;

use tender_protocol::client::Failure;

pub use cancellation::{Batch, CancelOutcome, Cancellation, ListedStatus, can_be_cancelled};
pub use dashboard::{Dashboard, Newest, Refresh, RouteData, Updates};
pub use deliveries::{DeliveryRequest, LatestDeliveries, PaymentDetails};
pub use older::{Goal, OlderLoad, OlderPages};
pub use order_action::{OrderAction, OrderProgress};
pub use payment_link::{LinkDialog, LinkInput, LinkProblem, link_days};

use crate::key::MerchantKey;

/// The state of the element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The first page is being loaded, with this key if any.
    Loading(Option<MerchantKey>),
    /// The proxy requires a merchant key.
    KeyRequired(KeyPrompt),
    /// The list was loaded without a key, behind the shop's login, and that login has ended.
    LoggedOut,
    /// The first page could not be loaded with this key.
    Failed(Option<MerchantKey>, Failure),
    /// The list is shown.
    Ready(Box<Dashboard>),
}

/// Why the merchant is asked for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPrompt {
    /// No key has been submitted yet.
    Initial,
    /// The proxy rejected the key.
    Rejected,
    /// The submitted text cannot be a key.
    Invalid,
}

impl State {
    /// The key that requests are sent with.
    pub fn key(&self) -> Option<&MerchantKey> {
        match self {
            Self::Loading(key) | Self::Failed(key, _) => key.as_ref(),
            Self::KeyRequired(_) | Self::LoggedOut => None,
            Self::Ready(dashboard) => dashboard.key.as_ref(),
        }
    }
}

/// The state before the element has started.
impl Default for State {
    fn default() -> Self {
        Self::Loading(None)
    }
}
