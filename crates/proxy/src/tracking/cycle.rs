//! One cycle of the poller: reads pages of the service's list and stores what has changed.

use std::collections::{HashMap, HashSet};

use tender_ledger::status;
use tender_protocol::Record;

use super::pages::Pages;
use super::poller::{CycleError, Poller};
use crate::clock::Millis;
use crate::service::list::Misnumbered;
use crate::shared::Shared;
use crate::store::database::{self, storable};
use crate::store::payments::{Interest, Known, ListedChange, PollCycle, is_news};
use crate::store::to_json;

impl Poller {
    /// Reads pages and stores changes. If merchants are watching, also stores and announces new
    /// payments of the first page.
    pub(super) async fn read(
        &self,
        cycle: &mut PollCycle,
        pages: &mut Pages,
        merchants: Option<Millis>,
    ) -> Result<(), CycleError> {
        let Shared { store, service, .. } = &*self.tracking.shared;
        let mut seen = HashSet::new();
        // The next cycle tries again anyway.
        let mut list = service.list_reader(store.settings.call);
        list.is_retrying = false;
        while let Some(page) = pages.next() {
            store.extend_cycle(cycle).await?;
            let read_at = store.clock().await?.now;
            let records = match list.page(page).await {
                Ok(Some(records)) => records,
                Ok(None) => {
                    if page == 0 && pages.are_wanted() {
                        service.misnumbered(Misnumbered::Empty);
                    }
                    pages.end();
                    break;
                }
                Err(error) if page > 0 && error.is_past_the_end() => {
                    pages.end();
                    return Err(CycleError::Unread(error));
                }
                Err(error) => return Err(error.into()),
            };
            // A payment may move to the next page while the list is read; the first occurrence is
            // the newer one.
            let readable = records.into_iter().filter_map(readable);
            let new = readable.filter(|(id, _)| !seen.contains(id)).collect();
            let unknown = self.compare(cycle, pages, new, read_at, &mut seen).await?;
            if let (0, Some(announced_until)) = (page, merchants) {
                store.add_listed(unknown).await?;
                store.announce_payments(cycle, announced_until).await?;
            }
        }
        Ok(())
    }

    /// Stores the changes of the payments on a page. Returns the payments that were not known.
    async fn compare(
        &self,
        cycle: &PollCycle,
        pages: &mut Pages,
        on_page: Vec<(String, Record)>,
        read_at: Millis,
        seen: &mut HashSet<String>,
    ) -> Result<Vec<(String, String)>, CycleError> {
        let Shared {
            store, statuses, ..
        } = &*self.tracking.shared;
        let now = store.clock().await?.now;
        let ids: Vec<_> = on_page.iter().map(|(id, _)| id.as_str()).collect();
        let interest = Interest {
            now,
            ..cycle.interest
        };
        let known = store.known_payments(&ids, interest).await?;
        let wanted = known.values().filter(|known| known.is_wanted).count();
        pages.found(u64::try_from(wanted).unwrap_or(u64::MAX));
        let (mut listed, mut unknown) = (Vec::new(), Vec::new());
        for (id, record) in on_page {
            if let Some(known) = known.get(&id) {
                let latest = self.latest(&id, known, &record)?;
                listed.extend(latest.map(|latest| (id, known, record, latest)));
            } else if seen.insert(id.clone()) {
                unknown.push((id, to_json(&record)?));
            }
        }
        seen.extend(contradictory(&listed));
        let mut changes = Vec::new();
        for (id, known, listed, latest) in listed {
            if !seen.insert(id.clone()) {
                continue;
            }
            self.tracking.confirmed(&id);
            let meaning = statuses.meaning(&listed);
            if known.record != to_json(&latest)? || is_news(meaning, known.facts.ending) {
                tracing::info!(transaction_id = id, "changed");
                changes.push(ListedChange {
                    transaction_id: id,
                    listed,
                    meaning,
                });
            }
        }
        store.write_changes(cycle, changes, read_at).await?;
        Ok(unknown)
    }

    /// The latest record of a known payment; `None` if the list contradicts the known one, which then
    /// stays. The next cycle reports that again only after the contradiction was resolved.
    fn latest(
        &self,
        id: &str,
        known: &Known,
        listed: &Record,
    ) -> Result<Option<Record>, database::Error> {
        let record = Record::parse(&known.record, "a payment record");
        let record = record.map_err(database::Error::unreadable)?;
        match tender_ledger::latest(&record, listed.clone()) {
            Ok(latest) => Ok(Some(latest)),
            Err(field) => {
                if self.tracking.contradicted(id) {
                    tracing::warn!(
                        transaction_id = id,
                        field,
                        "the list contradicts the payment; its known record stays"
                    );
                }
                Ok(None)
            }
        }
    }
}

/// The transactionId and the record. `None` if the record has no transactionId or no status;
/// whatever else it contains, its status is followed.
fn readable(record: Record) -> Option<(String, Record)> {
    let mut status = ["statusId", "statusText"].into_iter();
    let has_status = status.any(|field| record.string(field).is_some());
    let id = record.string("transactionId").filter(|_| has_status);
    let found = id.map(|id| (storable(id), record));
    if found.is_none() {
        tracing::warn!("skipped a record of the list without a transactionId or a status");
    }
    found
}

/// The payments that a page has with different statuses. Nothing tells which one is right.
fn contradictory(listed: &[(String, &Known, Record, Record)]) -> HashSet<String> {
    let mut first = HashMap::new();
    let differ = listed.iter().filter(|(id, _, record, _)| {
        let status = status(record);
        *first.entry(id.as_str()).or_insert_with(|| status.clone()) != status
    });
    let ids: HashSet<_> = differ.map(|(id, ..)| id.clone()).collect();
    for transaction_id in &ids {
        tracing::warn!(
            transaction_id,
            "a page of the list has this payment with different statuses; its known record stays"
        );
    }
    ids
}
