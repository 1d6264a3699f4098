//! Cancelling payments. The service's response does not contain the status after the cancellation,
//! so the result is read from the list.

use tender_protocol::Payment;
use tender_protocol::client::response::success;
use tender_protocol::client::{Failure, FetchResult};

use super::newest::emit_status_changes;
use crate::effect::{Effect, Purpose, Request};
use crate::list::{ListPage, Position};
use crate::state::{Batch, CancelOutcome, Cancellation, Dashboard, ListedStatus, can_be_cancelled};

/// The maximum number of pages that are read for one payment: the page that contained it, the next
/// one, and the previous one.
const MAX_PAGES_READ: u32 = 3;

impl Dashboard {
    /// Asks the merchant to confirm that these payments should be cancelled, but for those that can't be.
    pub(super) fn cancel_requested(&mut self, ids: &[String]) {
        if !matches!(
            self.cancellation,
            Cancellation::Idle | Cancellation::Finished(_)
        ) {
            return;
        }
        let is_requested =
            |payment: &&Payment| ids.contains(&payment.transaction_id) && can_be_cancelled(payment);
        let payments: Vec<_> = self.visible().filter(is_requested).cloned().collect();
        if !payments.is_empty() {
            self.cancellation = Cancellation::Confirming(payments);
        }
    }

    /// Closes the confirmation or the results.
    pub(super) fn close_cancellation(&mut self) {
        if matches!(
            self.cancellation,
            Cancellation::Confirming(_) | Cancellation::Finished(_)
        ) {
            self.cancellation = Cancellation::Idle;
            self.show_new_if_undisturbed();
        }
    }

    pub(super) fn cancel_confirmed(&mut self, effects: &mut Vec<Effect>) {
        if let Cancellation::Confirming(payments) = &mut self.cancellation {
            let mut remaining = std::mem::take(payments);
            remaining.reverse();
            self.selected.clear();
            let outcomes = Vec::new();
            let batch = Batch {
                remaining,
                outcomes,
            };
            self.continue_cancelling(batch, effects);
        }
    }

    /// Cancels the next payment. After the last one, reads the next page that may contain one of the payments, and then
    /// shows the results.
    fn continue_cancelling(&mut self, batch: Batch, effects: &mut Vec<Effect>) {
        if let Some(next) = batch.remaining.last() {
            self.send(Request::Cancel(next.transaction_id.clone()), effects);
        } else if let Some(page) = self.page_to_read(&batch) {
            self.fetch_page(page, Purpose::CancelStatus, effects);
        } else {
            self.cancellation = Cancellation::Finished(batch.outcomes);
            self.fetch_ledger(effects);
            return;
        }
        self.cancellation = Cancellation::InProgress(batch);
    }

    pub(super) fn cancel_finished(
        &mut self,
        id: &str,
        result: FetchResult,
        effects: &mut Vec<Effect>,
    ) {
        let Cancellation::InProgress(batch) = &self.cancellation else {
            return;
        };
        let mut batch = batch.clone();
        let Some(before) = batch.remaining.pop_if(|next| next.transaction_id == id) else {
            return;
        };
        batch.outcomes.push(CancelOutcome {
            before,
            error: success(result).err(),
            listed: ListedStatus::Pending(0),
        });
        self.continue_cancelling(batch, effects);
    }

    fn page_to_read(&self, batch: &Batch) -> Option<u32> {
        batch.outcomes.iter().find_map(|outcome| {
            let ListedStatus::Pending(pages_read) = outcome.listed else {
                return None;
            };
            let page = self.list.page_of(&outcome.before.transaction_id);
            let page = page.unwrap_or(1);
            Some(match pages_read {
                0 => page,
                1 => page.saturating_add(1),
                _ => page.saturating_sub(1).max(1),
            })
        })
    }

    pub(super) fn cancel_status_fetched(
        &mut self,
        page: Result<ListPage, Failure>,
        effects: &mut Vec<Effect>,
    ) {
        let Cancellation::InProgress(batch) = &self.cancellation else {
            return;
        };
        if !batch.remaining.is_empty() {
            // A late response, to an earlier cancellation. The request for the next payment is under way.
            return;
        }
        let mut batch = batch.clone();
        let pending = batch
            .outcomes
            .iter_mut()
            .filter(|outcome| matches!(outcome.listed, ListedStatus::Pending(_)));
        match page {
            Err(_) => {
                for outcome in pending {
                    outcome.listed = ListedStatus::Unreadable;
                }
            }
            Ok(page) => {
                // The page was read for the first pending payment; it may contain others too.
                for (index, outcome) in pending.enumerate() {
                    let id = &outcome.before.transaction_id;
                    let row = page.payments.iter().find(|row| row.transaction_id == *id);
                    outcome.listed = match (row, &outcome.listed) {
                        (Some(row), _) => ListedStatus::Status(row.status.clone(), row.state),
                        (None, ListedStatus::Pending(pages_read)) if index == 0 => {
                            not_found_after(pages_read + 1)
                        }
                        (None, listed) => listed.clone(),
                    };
                }
                // Unknown payments on this page are left to the next refresh.
                let is_known = |row: &Payment| self.list.get(&row.transaction_id).is_some();
                let rows = page.payments.into_iter().filter(is_known).collect();
                let merged = self.list.merge(rows, &Position::End);
                emit_status_changes(&merged, effects);
            }
        }
        self.continue_cancelling(batch, effects);
    }
}

fn not_found_after(pages_read: u32) -> ListedStatus {
    if pages_read >= MAX_PAGES_READ {
        ListedStatus::NotFound
    } else {
        ListedStatus::Pending(pages_read)
    }
}
