//! What a new mapping of statuses means for the payments that are stored already.

use std::sync::Arc;

use super::poller::Poller;
use crate::store::database;
use crate::store::payments::is_news;

impl Poller {
    /// Ends the stored payments whose status now means that they are paid or closed: at start, and
    /// after a reload. The list may never show another change of them.
    pub(super) async fn apply_mapping(&mut self) -> database::Result<()> {
        let mapping = self.statuses.mapping();
        if (self.applied.as_ref()).is_some_and(|applied| Arc::ptr_eq(applied, &mapping)) {
            return Ok(());
        }
        let mut last = String::new();
        while !mapping.is_empty() && !self.stop.is_cancelled() {
            let batch = self.store.after(&last).await?;
            let Some((id, _)) = batch.last() else {
                break;
            };
            last.clone_from(id);
            let ended = batch.into_iter().filter(|(_, latest)| {
                is_news(self.statuses.ending_of(&latest.record), latest.ending)
            });
            let ended: Vec<_> = ended.map(|(id, _)| id).collect();
            if !ended.is_empty() {
                let statuses = Arc::clone(&self.statuses);
                let ending = move |record: &str| statuses.ending_of(record);
                self.store.end(ended, ending).await?;
            }
        }
        self.applied = Some(mapping);
        Ok(())
    }
}
