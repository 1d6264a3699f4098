//! What a new mapping of statuses means for the payments that are stored already.

use std::sync::Arc;

use super::poller::Poller;
use crate::store::database;
use crate::store::payments::{StoredEvent, is_news};

impl Poller {
    /// Stores what the statuses of the stored payments mean now: at start, and after a reload. The list may never show
    /// another change of them.
    pub(super) async fn apply_mapping(&mut self) -> database::Result<()> {
        let mapping = self.statuses.mapping();
        if (self.applied.as_ref()).is_some_and(|applied| Arc::ptr_eq(applied, &mapping)) {
            return Ok(());
        }
        let mut last = String::new();
        while !mapping.is_empty() && !self.stop.is_cancelled() {
            let batch = self.store.after(&last).await?;
            let Some(newest) = batch.last() else {
                break;
            };
            last.clone_from(&newest.transaction_id);
            let changed = batch.into_iter().filter(|StoredEvent { change, .. }| {
                is_news(self.statuses.meaning_of(&change.record), change.ending)
            });
            let changed: Vec<_> = changed.map(|event| event.transaction_id).collect();
            if !changed.is_empty() {
                let meaning = |record: &str| self.statuses.meaning_of(record);
                self.store.end(&changed, meaning).await?;
            }
        }
        self.applied = Some(mapping);
        Ok(())
    }
}
