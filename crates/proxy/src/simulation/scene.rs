//! What outlives a run of the proxy: the actors, and what they have seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

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
    /// The orders whose last request to create a payment has failed.
    pub(super) failed: BTreeSet<Order>,
    pub(super) pages: BTreeMap<(Order, Device), Page>,
}

impl Scene {
    /// Whether the proxy may be creating a payment of an order, or searching for one.
    pub(super) fn is_creating(&self, order: Order) -> bool {
        let creating = self.creating.get(&order);
        creating.is_some_and(|(count, until)| *count > 0 || doors::now() < *until)
    }
}

/// A request to create a payment of this order, until it ends.
pub(super) struct Creating {
    scene: Arc<Mutex<Scene>>,
    order: Order,
    is_answered: bool,
}

impl Creating {
    /// How long an attempt is locked after the machine has failed.
    const LOCKED: Duration = Duration::from_secs(25);

    pub(super) fn new(scene: &Arc<Mutex<Scene>>, order: Order) -> Self {
        scene.lock().creating.entry(order).or_default().0 += 1;
        Self {
            scene: Arc::clone(scene),
            order,
            is_answered: false,
        }
    }

    pub(super) fn answered(mut self, scene: &mut Scene) {
        scene.creating.entry(self.order).or_default().0 -= 1;
        self.is_answered = true;
    }
}

impl Drop for Creating {
    fn drop(&mut self) {
        if !self.is_answered {
            let creating = &mut self.scene.lock().creating;
            let (count, until) = creating.entry(self.order).or_default();
            *count -= 1;
            *until = doors::now() + Self::LOCKED;
        }
    }
}
