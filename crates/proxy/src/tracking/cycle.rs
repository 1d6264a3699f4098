//! One cycle of the poller: reads pages of the service's list and stores what has changed.

use std::collections::{HashMap, HashSet};

use tender_ledger::{Latest, has_status, status, transaction_id};
use tender_protocol::{Amount, Record};

use super::pages::Pages;
use super::poller::{CycleError, Poller};
use crate::shared::Shared;
use crate::store::database;
use crate::store::payments::{Change, Known, ListedChange, PollCycle, is_news};
use crate::store::to_json;

impl Poller {
    /// Reads pages and stores changes. If merchants are watching, also stores new payments of the first page.
    pub(super) async fn read(
        &self,
        cycle: &mut PollCycle,
        pages: &mut Pages,
        has_merchants: bool,
    ) -> Result<(), CycleError> {
        let Shared { store, service, .. } = &*self.tracking.shared;
        let (mut seen, mut first) = (HashSet::new(), HashSet::new());
        // The next cycle tries again anyway.
        let mut list = service.list_reader(store.config.upstream.timeout);
        list.is_retrying = false;
        while let Some(page) = pages.next() {
            store.extend_cycle(cycle).await?;
            let asked_after = store.last_event().await?;
            let records = match list.page(page).await {
                Ok(Some(records)) => records,
                Ok(None) => {
                    if page == 0 && pages.are_wanted() {
                        service.misnumbered("empty");
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
            if page == 0 {
                first.extend(records.iter().filter_map(transaction_id));
            }
            // A payment may move to the next page while the list is read; the first occurrence is
            // the newer one.
            let readable = records.into_iter().filter_map(readable);
            let new = readable.filter(|(id, _)| !seen.contains(id)).collect();
            let unknown = self
                .compare(cycle, pages, new, asked_after, &mut seen)
                .await?;
            if page == 0 && has_merchants {
                store.add_listed(&unknown).await?;
            }
        }
        if pages.are_wanted() {
            // A cycle that misses a payment is the first sign of it.
            service.has_earlier_page(&first).await;
        }
        Ok(())
    }

    /// Stores the changes of the payments on a page. Returns the payments that were not known.
    async fn compare(
        &self,
        cycle: &PollCycle,
        pages: &mut Pages,
        on_page: Vec<(String, Record)>,
        asked_after: i64,
        seen: &mut HashSet<String>,
    ) -> Result<Vec<(String, Record)>, CycleError> {
        let Shared {
            store, statuses, ..
        } = &*self.tracking.shared;
        let ids: Vec<_> = on_page.iter().map(|(id, _)| id.as_str()).collect();
        let known = store.known_payments(&ids).await?;
        let wanted = known
            .values()
            .filter(|known| cycle.interest.includes(known));
        let wanted = wanted.count();
        pages.found(u64::try_from(wanted).unwrap_or(u64::MAX));
        let (mut listed, mut unknown, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        for (id, record) in on_page {
            if let Some(Known { latest: known, .. }) = known.get(&id) {
                match latest(known, &record)? {
                    Ok(latest) => listed.push((id, known, record, latest)),
                    // Storing it adds a doubt.
                    Err(_) => changes.push(ListedChange {
                        transaction_id: id,
                        meaning: statuses.meaning(&record),
                        listed: record,
                    }),
                }
            } else if seen.insert(id.clone()) {
                unknown.push((id, record));
            }
        }
        seen.extend(contradictory(&listed));
        for (id, known, listed, latest) in listed {
            if !seen.insert(id.clone()) {
                continue;
            }
            self.tracking.confirmed(&id);
            let meaning = statuses.meaning(&listed);
            let is_changed =
                known.record != to_json(&latest.record)? || known.listed_pay != latest.listed_pay;
            if is_changed || is_news(meaning, known.facts.fate) {
                self.note_quote(&id, known, &latest);
                tracing::info!(transaction_id = id, "changed");
                changes.push(ListedChange {
                    transaction_id: id,
                    listed,
                    meaning,
                });
            }
        }
        store.store_changes(changes, asked_after).await?;
        Ok(unknown)
    }

    /// Counts and logs that the list shows a higher amount to pay than the buyer was told.
    fn note_quote(&self, id: &str, known: &Change, latest: &Latest) {
        let told = latest.record.text("quantityPay");
        let told = told.and_then(|told| told.parse::<Amount>().ok());
        let is_risen = told.is_some_and(|told| latest.listed_pay > Some(told));
        let is_new = known.listed_pay != latest.listed_pay;
        if is_new && is_risen {
            self.tracking.shared.metrics.risen_quotes.inc();
            tracing::warn!(
                transaction_id = id,
                "the list shows a higher amount to pay than the buyer was told"
            );
        }
    }
}

/// The latest record of a known payment, or the field by which the list contradicts it.
fn latest(
    known: &Change,
    listed: &Record,
) -> Result<Result<Latest, &'static str>, database::Error> {
    let record = Record::parse(&known.record, "a payment record");
    let record = record.map_err(database::Error::unreadable)?;
    Ok(tender_ledger::latest(&record, listed.clone()))
}

/// The transactionId and the record, if it has both an id and a status: whatever else it contains, its status is followed.
fn readable(record: Record) -> Option<(String, Record)> {
    let id = transaction_id(&record).filter(|id| !id.is_empty() && has_status(&record))?;
    Some((id, record))
}

/// The payments that a page has with different statuses. Nothing tells which one is right.
fn contradictory(listed: &[(String, &Change, Record, Latest)]) -> HashSet<String> {
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
