//! Notifications to the shop's backend: loading them, and sending them again.

use std::collections::BTreeMap;

use tender_protocol::client::FetchResult;
use tender_protocol::client::response::{is_route_missing, parsed, success};
use tender_protocol::{Deliveries, DeliveryState};

use crate::effect::{Effect, Request};
use crate::state::{
    Dashboard, DeliveryRequest, LatestDeliveries, PaymentDetails, RouteData, Updates,
};

/// Seconds until notifications are loaded again: while one in the dialog is to be sent, and after a payment has changed.
const WAITING_SECONDS: u32 = 3;

impl Dashboard {
    /// Requests the notifications that are shown: those in the dialog, or else the newest ones of all payments. While the
    /// page is hidden, nothing is requested.
    pub(super) fn fetch_deliveries(&self, effects: &mut Vec<Effect>) {
        if self.updates == Updates::Paused {
            return;
        }
        match &self.details {
            Some(open) => {
                let id = open.transaction_id.clone();
                self.send(Request::Deliveries(Some(id)), effects);
            }
            None if self.deliveries.is_unsupported() => {}
            None => self.send(Request::Deliveries(None), effects),
        }
    }

    /// A payment has changed, so the proxy is about to send a notification.
    pub(super) fn expect_delivery(&self, effects: &mut Vec<Effect>) {
        if self.deliveries.loaded().is_some() {
            effects.push(Effect::ScheduleDeliveries(WAITING_SECONDS));
        }
    }

    /// A failure is not shown: the list is complete without the notifications, and they are requested again later.
    pub(super) fn latest_fetched(&mut self, result: FetchResult) {
        if is_route_missing(&result) {
            self.deliveries = RouteData::Unsupported;
        } else if let Ok(Deliveries { deliveries, more }) = parsed(result, Deliveries::parse) {
            let mut states = BTreeMap::new();
            for delivery in deliveries {
                // The newest one comes first.
                let state = states.entry(delivery.transaction_id);
                state.or_insert(delivery.state);
            }
            self.deliveries = RouteData::Loaded(LatestDeliveries { states, more });
        }
    }

    pub(super) fn details_fetched(
        &mut self,
        id: &str,
        result: FetchResult,
        effects: &mut Vec<Effect>,
    ) {
        let Some(open) = &mut self.details else {
            return;
        };
        // A response to a request that was sent before another one does not matter any more.
        if open.transaction_id != id || matches!(open.request, DeliveryRequest::Resending(_)) {
            return;
        }
        if is_route_missing(&result) {
            // The rest of the details needs no notifications.
            open.request = DeliveryRequest::Idle;
            return;
        }
        match parsed(result, Deliveries::parse) {
            Ok(list) => {
                if let (RouteData::Loaded(latest), Some(newest)) =
                    (&mut self.deliveries, list.deliveries.first())
                {
                    latest.states.insert(id.to_owned(), newest.state);
                }
                open.list = Some(list);
                if !matches!(open.request, DeliveryRequest::ResendFailed(_)) {
                    open.request = DeliveryRequest::Idle;
                }
            }
            Err(failure) => open.request = DeliveryRequest::LoadFailed(failure),
        }
        effects.extend(open.next_poll());
    }

    /// Opens the dialog with the details of a payment.
    pub(super) fn details_requested(&mut self, id: String, effects: &mut Vec<Effect>) {
        if self.details.is_none() && self.list.get(&id).is_some() {
            self.details = Some(PaymentDetails::new(id.clone()));
            self.send(Request::Deliveries(Some(id)), effects);
        }
    }

    pub(super) fn close_details(&mut self, effects: &mut Vec<Effect>) {
        if self.details.take().is_some() {
            self.fetch_deliveries(effects);
        }
    }

    pub(super) fn resend_requested(&mut self, id: String, effects: &mut Vec<Effect>) {
        let Some(open) = &mut self.details else {
            return;
        };
        if open.can_resend(&id) {
            open.request = DeliveryRequest::Resending(id.clone());
            self.send(Request::Resend(id), effects);
        }
    }

    pub(super) fn resend_finished(
        &mut self,
        id: &str,
        result: FetchResult,
        effects: &mut Vec<Effect>,
    ) {
        let Some(open) = &mut self.details else {
            return;
        };
        if open.request != DeliveryRequest::Resending(id.to_owned()) {
            return;
        }
        open.request = match success(result) {
            Ok(_) => DeliveryRequest::Idle,
            Err(failure) => DeliveryRequest::ResendFailed(failure),
        };
        self.fetch_deliveries(effects);
    }
}

impl PaymentDetails {
    /// The timer that loads them again, if that may show something new.
    fn next_poll(&self) -> Option<Effect> {
        let mut deliveries = self.list.iter().flat_map(|list| &list.deliveries);
        let is_waiting = deliveries.any(|delivery| {
            matches!(
                delivery.state,
                DeliveryState::Waiting | DeliveryState::SetAside
            )
        });
        is_waiting.then_some(Effect::ScheduleDeliveries(WAITING_SECONDS))
    }
}
