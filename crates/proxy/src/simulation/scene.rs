//! What outlives a run of the proxy: the actors, and what they have seen.

use std::collections::BTreeMap;
use std::time::Duration;

use super::buyers::Page;
use super::doors;
use super::history::History;
use super::script::{Device, Order};
use super::service::Service;
use super::shop::Shop;

#[derive(Default)]
pub(super) struct Scene {
    pub(super) history: History,
    pub(super) service: Service,
    pub(super) shop: Shop,
    /// How many requests to create a payment of an order are in progress, and until when one that was interrupted may lock it.
    pub(super) creating: BTreeMap<Order, (usize, Duration)>,
    pub(super) pages: BTreeMap<(Order, Device), Page>,
}

impl Scene {
    /// Whether the proxy may be creating a payment of an order, or searching for one.
    pub(super) fn is_creating(&self, order: Order) -> bool {
        let creating = self.creating.get(&order);
        creating.is_some_and(|(count, until)| *count > 0 || doors::now() < *until)
    }
}
