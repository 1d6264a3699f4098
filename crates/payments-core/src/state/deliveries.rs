//! Notifications to the shop's backend, and their states.

use std::collections::BTreeMap;

use tender_protocol::client::Failure;
use tender_protocol::{Deliveries, Delivery, DeliveryState};

use super::dashboard::RouteData;
use super::order_action::OrderProgress;

/// The newest notification of each payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatestDeliveries {
    /// The state of the newest notification of a payment, by `transactionId`.
    pub states: BTreeMap<String, DeliveryState>,
    /// Whether there are older notifications, which may belong to other payments.
    pub more: bool,
}

/// The details of one payment, in a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentDetails {
    /// The payment.
    pub transaction_id: String,
    /// Its notifications, newest first; `None` until they are loaded.
    pub list: Option<Deliveries>,
    /// What is being requested.
    pub request: DeliveryRequest,
    /// What the merchant does about its order.
    pub order: OrderProgress,
}

/// A request for the notifications in the dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryRequest {
    /// None is running, and the last one succeeded.
    Idle,
    /// The notifications are being loaded.
    Loading,
    /// The notifications could not be loaded.
    LoadFailed(Failure),
    /// The notification with this id is to be sent again.
    Resending(String),
    /// A notification could not be sent again.
    ResendFailed(Failure),
}

impl RouteData<LatestDeliveries> {
    /// The state of the newest notification of this payment; [`DeliveryState::Unknown`] if it is not among the
    /// loaded ones; `None` if there is none.
    pub fn of(&self, transaction_id: &str) -> Option<DeliveryState> {
        let LatestDeliveries { states, more } = self.loaded()?;
        let state = states.get(transaction_id).copied();
        state.or_else(|| more.then_some(DeliveryState::Unknown))
    }
}

impl PaymentDetails {
    /// Nothing is loaded yet.
    pub fn new(transaction_id: String) -> Self {
        Self {
            transaction_id,
            list: None,
            request: DeliveryRequest::Loading,
            order: OrderProgress::Idle,
        }
    }

    /// The notification with this id.
    pub fn get(&self, id: &str) -> Option<&Delivery> {
        let mut deliveries = self.list.iter().flat_map(|list| &list.deliveries);
        deliveries.find(|delivery| delivery.id == id)
    }

    /// Whether the merchant can have this notification sent again now: it was tried before, and no other request is
    /// running.
    pub fn can_resend(&self, id: &str) -> bool {
        let is_tried =
            |delivery: &Delivery| delivery.state != DeliveryState::Waiting || delivery.tries > 0;
        !matches!(self.request, DeliveryRequest::Resending(_)) && self.get(id).is_some_and(is_tried)
    }

    /// The state that matters most to the merchant: given up before set aside before waiting before delivered. `None` without
    /// notifications.
    pub fn worst(&self) -> Option<DeliveryState> {
        let states = self.list.iter().flat_map(|list| &list.deliveries);
        let states = states.map(|delivery| delivery.state);
        states.max_by_key(|state| match state {
            DeliveryState::Unknown => 0,
            DeliveryState::Delivered => 1,
            DeliveryState::Waiting => 2,
            DeliveryState::SetAside => 3,
            DeliveryState::GivenUp => 4,
        })
    }
}
