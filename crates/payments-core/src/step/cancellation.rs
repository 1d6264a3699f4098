//! Cancelling payments. The service's response does not contain the status after the cancellation,
//! so the result is read from the list.

use tender_protocol::Payment;
use tender_protocol::client::response::success;
use tender_protocol::client::{Failure, FetchResult};

use super::newest::emit_status_changes;
use crate::effect::{Effect, Purpose, Request};
use crate::list::ListPage;
use crate::state::{Batch, CancelOutcome, Cancellation, Dashboard, ListedStatus, can_be_cancelled};

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

    /// Cancels the next payment. After the last one, reads the list from each of the payments on, and then shows the
    /// results.
    fn continue_cancelling(&mut self, batch: Batch, effects: &mut Vec<Effect>) {
        if let Some(next) = batch.remaining.last() {
            self.send(Request::Cancel(next.transaction_id.clone()), effects);
        } else if let Some(pending) = batch.outcomes.iter().find(|it| it.is_pending()) {
            let before = self.list.before(&pending.before.transaction_id);
            self.fetch_page(before.map(str::to_owned), Purpose::CancelStatus, effects);
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
            listed: ListedStatus::Pending,
        });
        self.continue_cancelling(batch, effects);
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
            .filter(|outcome| outcome.is_pending());
        match page {
            Err(_) => {
                for outcome in pending {
                    outcome.listed = ListedStatus::Unreadable;
                }
            }
            Ok(page) => {
                // It was read for the first pending payment; it may contain others too.
                for (index, outcome) in pending.enumerate() {
                    let id = &outcome.before.transaction_id;
                    let row = page.payments.iter().find(|row| row.transaction_id == *id);
                    if let Some(row) = row {
                        outcome.listed = ListedStatus::Status(row.status.clone(), row.state);
                    } else if index == 0 {
                        outcome.listed = ListedStatus::NotFound;
                    }
                }
                // Unknown payments among them are left to the next refresh.
                let is_known = |row: &Payment| self.list.get(&row.transaction_id).is_some();
                let rows = page.payments.into_iter().filter(is_known).collect();
                let merged = self.list.merge(rows);
                emit_status_changes(&merged, effects);
            }
        }
        self.continue_cancelling(batch, effects);
    }
}
