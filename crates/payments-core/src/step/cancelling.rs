//! Cancelling payments. The service's answer does not state the status afterwards, so that what became of
//! a payment is only ever what a fresh read of the list says.

use tender_client::answer::success;
use tender_client::{Failure, FetchResult};
use tender_protocol::Payment;

use super::reading::tell_changes;
use crate::book::{Page, Place};
use crate::effect::{Effect, Purpose};
use crate::state::{Batch, Cancelling, Desk, Outcome, Seen};

/// Pages that are read for one payment: where it was, the one behind it, the one before it.
const LOOKS: u32 = 3;

impl Desk {
    /// Asks whether it is meant.
    pub(super) fn want_cancelled(&mut self, ids: &[String]) {
        if !matches!(self.cancelling, Cancelling::No | Cancelling::Done(_)) {
            return;
        }
        let wanted = |payment: &&Payment| ids.contains(&payment.transaction_id);
        let payments: Vec<_> = self.loaded().filter(wanted).cloned().collect();
        if !payments.is_empty() {
            self.cancelling = Cancelling::Asking(payments);
        }
    }

    /// It was not meant, or what came of it was read.
    pub(super) fn end_cancelling(&mut self) {
        if matches!(self.cancelling, Cancelling::Asking(_) | Cancelling::Done(_)) {
            self.cancelling = Cancelling::No;
            self.release();
        }
    }

    pub(super) fn begin_cancelling(&mut self, effects: &mut Vec<Effect>) {
        if let Cancelling::Asking(payments) = &mut self.cancelling {
            let mut waiting = std::mem::take(payments);
            waiting.reverse();
            self.selected.clear();
            let outcomes = Vec::new();
            self.cancel_next(Batch { waiting, outcomes }, effects);
        }
    }

    /// Cancels the next payment; after the last one, sees what became of them.
    fn cancel_next(&mut self, batch: Batch, effects: &mut Vec<Effect>) {
        if let Some(next) = batch.waiting.last() {
            effects.push(Effect::Cancel {
                key: self.key.clone(),
                transaction_id: next.transaction_id.clone(),
            });
            self.cancelling = Cancelling::Running(batch);
        } else {
            self.look_after(batch, effects);
        }
    }

    pub(super) fn cancel_answered(
        &mut self,
        id: &str,
        answered: FetchResult,
        effects: &mut Vec<Effect>,
    ) {
        let Cancelling::Running(batch) = &self.cancelling else {
            return;
        };
        let mut batch = batch.clone();
        let Some(before) = batch.waiting.pop_if(|next| next.transaction_id == id) else {
            return;
        };
        batch.outcomes.push(Outcome {
            before,
            refusal: success(answered).err(),
            seen: Seen::NotYet(0),
        });
        self.cancel_next(batch, effects);
    }

    /// Reads the next page that may say what became of a payment.
    fn look_after(&mut self, batch: Batch, effects: &mut Vec<Effect>) {
        if let Some(page) = self.next_look(&batch) {
            self.read(page, Purpose::Outcome, effects);
            self.cancelling = Cancelling::Looking(batch);
        } else {
            self.cancelling = Cancelling::Done(batch.outcomes);
            self.ask_what_is_known(effects);
        }
    }

    fn next_look(&self, batch: &Batch) -> Option<u32> {
        batch.outcomes.iter().find_map(|outcome| {
            let Seen::NotYet(looks) = outcome.seen else {
                return None;
            };
            let page = self.book.page_of(&outcome.before.transaction_id);
            let page = page.unwrap_or(1);
            Some(match looks {
                0 => page,
                1 => page.saturating_add(1),
                _ => page.saturating_sub(1).max(1),
            })
        })
    }

    pub(super) fn outcome_read(&mut self, page: Result<Page, Failure>, effects: &mut Vec<Effect>) {
        let Cancelling::Looking(batch) = &self.cancelling else {
            return;
        };
        let mut batch = batch.clone();
        let open = batch
            .outcomes
            .iter_mut()
            .filter(|outcome| matches!(outcome.seen, Seen::NotYet(_)));
        match page {
            Err(failure) => {
                for outcome in open {
                    outcome.seen = Seen::Unread(failure.clone());
                }
            }
            Ok(page) => {
                // The page was read for the first of them; it may hold others.
                for (index, outcome) in open.enumerate() {
                    let id = &outcome.before.transaction_id;
                    let row = page.payments.iter().find(|row| row.transaction_id == *id);
                    outcome.seen = match (row, &outcome.seen) {
                        (Some(row), _) => Seen::Reads(row.status.clone()),
                        (None, Seen::NotYet(looks)) if index == 0 && looks + 1 >= LOOKS => {
                            Seen::Missing
                        }
                        (None, Seen::NotYet(looks)) if index == 0 => Seen::NotYet(looks + 1),
                        (None, seen) => seen.clone(),
                    };
                }
                // What is not known yet is left to a look at the head.
                let is_known = |row: &Payment| self.book.get(&row.transaction_id).is_some();
                let rows = page.payments.into_iter().filter(is_known).collect();
                let merged = self.book.take(rows, &Place::Back);
                tell_changes(&merged, effects);
            }
        }
        self.look_after(batch, effects);
    }
}
