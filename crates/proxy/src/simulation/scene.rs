//! What outlives a run of the proxy: the actors, and what they have seen.

use std::collections::BTreeMap;

use super::buyers::Page;
use super::history::History;
use super::script::{Device, Order};
use super::service::Service;
use super::shop::Shop;

#[derive(Default)]
pub(super) struct Scene {
    pub(super) history: History,
    pub(super) service: Service,
    pub(super) shop: Shop,
    pub(super) pages: BTreeMap<(Order, Device), Page>,
}
