//! The proxy's ledger: notifications, attempts, and orders whose outcome is not known yet.

use tender_protocol::Ledger;
use tender_protocol::client::FetchResult;
use tender_protocol::client::response::{is_route_missing, success};

use crate::effect::Effect;
use crate::key::MerchantKey;
use crate::state::{Dashboard, LedgerData, LedgerState};

impl Dashboard {
    /// Requests what the ledger says about the payments on the current page.
    pub(super) fn fetch_ledger(&self, effects: &mut Vec<Effect>) {
        if self.ledger != LedgerState::Unsupported {
            effects.push(Effect::FetchLedger {
                key: self.key.clone(),
                transaction_ids: self
                    .on_page()
                    .map(|row| row.transaction_id.clone())
                    .collect(),
            });
        }
    }

    pub(super) fn ledger_fetched(&mut self, key: Option<&MerchantKey>, result: FetchResult) {
        // A late response to a request with another key.
        if key != self.key.as_ref() {
            return;
        }
        if is_route_missing(&result) {
            self.ledger = LedgerState::Unsupported;
            return;
        }
        // A failure is not shown: the list is complete without the ledger, and the next page
        // requests it again.
        let Some(ledger) = success(result)
            .ok()
            .and_then(|json| Ledger::parse(&json).ok())
        else {
            return;
        };
        let mut data = match std::mem::replace(&mut self.ledger, LedgerState::NotLoaded) {
            LedgerState::Loaded(data) => data,
            LedgerState::NotLoaded | LedgerState::Unsupported => LedgerData::default(),
        };
        for payment in ledger.payments {
            data.payments
                .insert(payment.transaction_id.clone(), payment);
        }
        data.reconciling = ledger.reconciling;
        data.more = ledger.more;
        data.test_mode = ledger.test_mode;
        data.payment_links = ledger.payment_links;
        self.ledger = LedgerState::Loaded(data);
    }
}
