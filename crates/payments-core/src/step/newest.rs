//! Refreshing: loading the payments that are newer than the loaded ones.

use tender_protocol::client::Failure;

use crate::effect::{Effect, HostEvent, Purpose};
use crate::list::{ListPage, Merged, Position};
use crate::state::{Dashboard, OlderPages, Refresh};

/// The maximum number of pages that one refresh or one search loads.
pub(super) const MAX_PAGES: u32 = 50;

impl Dashboard {
    /// Starts a refresh; returns whether it did. While older pages are being loaded it does not,
    /// because that ends with reading page one anyway.
    pub(super) fn refresh(&mut self, effects: &mut Vec<Effect>) -> bool {
        let is_busy = matches!(
            self.older,
            OlderPages::Loading(_) | OlderPages::Verifying(..)
        ) || matches!(self.refresh, Refresh::Loading(_));
        if !is_busy {
            self.refresh = Refresh::Loading(0);
            self.fetch_page(1, Purpose::Newest(Position::Start), effects);
        }
        !is_busy
    }

    pub(super) fn newest_fetched(
        &mut self,
        number: u32,
        page: Result<ListPage, Failure>,
        position: &Position,
        effects: &mut Vec<Effect>,
    ) {
        let Refresh::Loading(pages) = self.refresh else {
            return;
        };
        let page = match page {
            Ok(page) => page,
            Err(failure) => return self.refresh_failed(failure),
        };
        let last = page.payments.last().map(|row| row.transaction_id.clone());
        let was_unconfirmed = self.list.has_no_confirmed();
        let merged = self.list.merge_page(number, page, position);
        // If nothing was confirmed before, a page without new payments is the end of the list.
        let is_connected = merged.overlaps || (was_unconfirmed && merged.added.is_empty());
        self.payments_merged(merged, effects);
        match last {
            // The page contains only new payments, so the next page may contain more of them.
            Some(last) if !is_connected && pages + 1 < MAX_PAGES => {
                self.refresh = Refresh::Loading(pages + 1);
                self.fetch_page(number + 1, Purpose::Newest(Position::After(last)), effects);
            }
            Some(last) if !is_connected => {
                self.list.confirm_before_gap(last, number);
                self.show_new_if_undisturbed();
                self.refreshed(effects);
            }
            _ => {
                self.list.confirm();
                self.refreshed(effects);
            }
        }
    }

    fn refresh_failed(&mut self, failure: Failure) {
        if let OlderPages::Queued(_) = self.older {
            self.older = OlderPages::Failed(failure.clone());
        }
        self.refresh = Refresh::Failed(failure);
    }

    fn refreshed(&mut self, effects: &mut Vec<Effect>) {
        self.refresh = Refresh::Idle;
        self.fetch_ledger(effects);
        self.fetch_deliveries(effects);
        if let OlderPages::Queued(goal) = self.older {
            self.load_older(goal, effects);
        }
    }

    /// Reports merged payments to the page, and shows them unless that would move a row that the
    /// merchant is using.
    pub(super) fn payments_merged(&mut self, merged: Merged, effects: &mut Vec<Effect>) {
        self.hide_new(merged, effects);
        self.show_new_if_undisturbed();
    }

    /// Reports merged payments to the page, and hides the new ones for now.
    pub(super) fn hide_new(&mut self, merged: Merged, effects: &mut Vec<Effect>) {
        emit_status_changes(&merged, effects);
        for id in merged.added {
            if let Some(payment) = self.list.get(&id) {
                effects.push(Effect::Emit(HostEvent::Created(Box::new(payment.clone()))));
            }
            self.hidden.insert(id);
        }
    }
}

/// Reports each changed status to the page.
pub(super) fn emit_status_changes(merged: &Merged, effects: &mut Vec<Effect>) {
    for (payment, previous) in &merged.changed {
        if payment.status != *previous {
            effects.push(Effect::Emit(HostEvent::Status {
                payment: Box::new(payment.clone()),
                previous: previous.clone(),
            }));
        }
    }
}
