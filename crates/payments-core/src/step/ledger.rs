//! The proxy's ledger: notifications, attempts, and orders whose outcome is not known yet.

use tender_protocol::Ledger;
use tender_protocol::client::FetchResult;
use tender_protocol::client::response::{is_route_missing, parsed};

use crate::effect::{Effect, Request};
use crate::state::{Dashboard, RouteData};

impl Dashboard {
    /// Requests what the ledger says about the payments on the current page.
    pub(super) fn fetch_ledger(&self, effects: &mut Vec<Effect>) {
        if !self.ledger.is_unsupported() {
            let ids = self.on_page().map(|row| row.transaction_id.clone());
            self.send(Request::Ledger(ids.collect()), effects);
        }
    }

    /// A failure is not shown: the list is complete without the ledger, and the next page requests it again.
    pub(super) fn ledger_fetched(&mut self, result: FetchResult) {
        if is_route_missing(&result) {
            self.ledger = RouteData::Unsupported;
            self.known.clear();
        } else if let Ok(mut ledger) = parsed(result, Ledger::parse) {
            for known in std::mem::take(&mut ledger.payments) {
                self.known.insert(known.transaction_id.clone(), known);
            }
            self.ledger = RouteData::Loaded(ledger);
        }
    }
}
