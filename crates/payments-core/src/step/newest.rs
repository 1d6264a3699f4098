//! Refreshing: loading the payments that are newer than the loaded ones.

use tender_protocol::client::Failure;

use crate::effect::{Effect, HostEvent, Purpose};
use crate::list::{ListPage, Merged, PaymentList};
use crate::state::{Dashboard, Newest, OlderPages, Refresh};

/// The maximum number of pages that one refresh or one search loads.
pub(super) const MAX_PAGES: u32 = 50;

impl Dashboard {
    /// Starts a refresh; returns whether it did. While one is running, it does not.
    pub(super) fn refresh(&mut self, effects: &mut Vec<Effect>) -> bool {
        let is_idle = !matches!(self.refresh, Refresh::Loading(_));
        if is_idle {
            self.refresh = Refresh::Loading(Newest::default());
            self.fetch_page(None, Purpose::Newest, effects);
        }
        is_idle
    }

    pub(super) fn newest_fetched(
        &mut self,
        after: Option<&str>,
        page: Result<ListPage, Failure>,
        effects: &mut Vec<Effect>,
    ) {
        let Refresh::Loading(newest) = &mut self.refresh else {
            return;
        };
        if newest.records.last.as_deref() != after {
            return;
        }
        let page = match page {
            Ok(page) => page,
            Err(failure) => {
                self.refresh = Refresh::Failed(failure);
                return;
            }
        };
        let is_end = page.last.is_none();
        let overlaps = self.list.overlaps(&page);
        newest.records.extend(page);
        newest.pages += 1;
        let is_opening = self.list.payments().is_empty();
        if !(is_end || overlaps || is_opening || newest.pages == MAX_PAGES) {
            // All are new, so more of them may come after these.
            let last = newest.records.last.clone();
            return self.fetch_page(last, Purpose::Newest, effects);
        }
        let newest = std::mem::take(&mut newest.records);
        self.refresh = Refresh::Idle;
        if overlaps {
            let merged = self.list.merge_newest(newest);
            self.payments_merged(merged, effects);
        } else if newest.last.is_some() {
            self.start_again(newest, effects);
        }
        self.fetch_ledger(effects);
        self.fetch_deliveries(effects);
    }

    /// Begins a new list with these payments, because it is not known what is between them and the loaded ones.
    pub(super) fn start_again(&mut self, page: ListPage, effects: &mut Vec<Effect>) {
        let merged = self.list.merge(page.payments.clone());
        self.hide_new(merged, effects);
        self.show_new();
        self.open_list(page);
        self.selected.retain(|id| self.list.get(id).is_some());
        self.page = 0;
    }

    /// Begins the list with this page.
    pub(super) fn open_list(&mut self, page: ListPage) {
        self.older = if page.last.is_none() {
            OlderPages::AllLoaded
        } else {
            OlderPages::MaybeMore
        };
        self.list = PaymentList::starting_with(page);
    }

    /// Reports merged payments to the page, and shows them unless that would move a row that the
    /// merchant is using.
    pub(super) fn payments_merged(&mut self, merged: Merged, effects: &mut Vec<Effect>) {
        self.hide_new(merged, effects);
        self.show_new_if_undisturbed();
    }

    /// Reports merged payments to the page, and hides the new ones for now.
    fn hide_new(&mut self, merged: Merged, effects: &mut Vec<Effect>) {
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
