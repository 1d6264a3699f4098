//! What the service's list shows: the payment of an attempt whose response was lost, or the status of a known payment.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Span;
use jiff::civil::Date;
use tender_ledger::{
    Evidence, Found, Listed, Meaning, Search, is_dated_before, sighting, transaction_id,
};
use tender_protocol::{PAGE_SIZE, Record};

use super::Executor;
use super::run::Work;
use crate::clock::Instant;
use crate::config::ListOrder;
use crate::error::Error;
use crate::service::ServiceError;
use crate::service::list::{ListReader, Unread};
use crate::shared::Shared;
use crate::store::attempts::{Held, News};
use crate::store::payments::ListedChange;

/// How long a search that has not reached the end of the list is not repeated, because it costs many calls. All requests for
/// the order share its failure.
pub(super) const SEARCH_PAUSE: Duration = Duration::from_mins(1);

/// How often a page after the first one is requested.
const TRIES: u32 = 3;

/// The timeout for reading the pages of the list: as long as this many calls, but at least [`MIN_TIME`], because a short
/// `upstream_timeout_seconds` must not end the search through a long list.
const MAX_CALLS: u32 = 3;

const MIN_TIME: Duration = Duration::from_secs(10);

/// How many of the payments that were created after another one the list may have after it, or not at all: 10 pages.
const MAY_BE_MISSING: u64 = 200;

/// The day from which on the list is read for a payment that is no older than one with this date, both as YYYY/MM/DD. The
/// service's time zone is not documented, so a day on either side is in doubt. Empty if the date has another form: then the list
/// is read to its end.
pub(super) fn first_day(date: Option<String>) -> String {
    const FORM: &str = "%Y/%m/%d";
    let date = date.and_then(|date| Date::strptime(FORM, date).ok());
    let day = date.and_then(|date| date.checked_sub(Span::new().days(2)).ok());
    day.map_or_else(String::new, |day| day.strftime(FORM).to_string())
}

/// The payment that was found in the list, and its record.
type FoundRecord = Option<(String, Record)>;

impl Work<'_> {
    /// Searches for the payment of an attempt whose response was lost. A missing payment counts as not created only after
    /// the service's settle time has passed, and if another pass over several pages does not find it either: it may have
    /// moved to a page that was read already.
    pub(super) async fn search(&mut self) -> Result<News, Error> {
        let attempt = &self.held.attempt;
        // Another attempt of the order would read the same pages.
        let id = attempt.order_id.as_ref().unwrap_or(&attempt.id).clone();
        let unread = &self.executor.unread_searches;
        if let Some(noted) = unread.get(&id) {
            let unread = ServiceError::from(Unread::Recently(noted.left));
            return Ok(self.failed(unread, Evidence::Searched(Found::Unclear)));
        }
        match self.passes().await {
            Ok(Some((id, record))) => Ok(News {
                meaning: self.executor.shared.statuses.meaning(&record),
                record: Some(record),
                // Nothing that is stored of it is newer.
                asked_after: i64::MAX,
                ..News::of(Evidence::Searched(Found::One(id)))
            }),
            Ok(None) => Ok(News::of(Evidence::Searched(Found::Nothing))),
            Err(Error::Service(error)) => {
                // A repeated page ends a search after few calls, and may be one that moved by a whole page meanwhile.
                if matches!(*error, ServiceError::Unread(Unread::Pages | Unread::Time)) {
                    unread.insert(&id, ());
                }
                Ok(self.failed(error, Evidence::Searched(Found::Unclear)))
            }
            Err(error) => Err(error),
        }
    }

    /// As many passes as show whether there is a payment.
    async fn passes(&mut self) -> Result<FoundRecord, Error> {
        let settled = self.held.settled;
        let early = Instant::now() < settled;
        let (mut found, mut pages, mut first) = self.pass().await?;
        if early && found.is_none() {
            tokio::time::sleep_until(settled).await;
            (found, pages, first) = self.pass().await?;
        }
        if found.is_none() && pages > 1 {
            (found, _, first) = self.pass().await?;
        }
        if found.is_none() {
            self.executor.check_first_page(&first).await?;
        }
        Ok(found)
    }

    /// Reads the pages that may have the payment. Returns their number, too, and the payments of the first one.
    async fn pass(&mut self) -> Result<(FoundRecord, u32, HashSet<String>), Error> {
        let executor = self.executor;
        let Shared { store, service, .. } = &*executor.shared;
        let attempt = self.held.attempt.clone();
        let Some(request) = attempt.sent() else {
            let unknown = "the request is no longer stored".to_owned();
            return Err(ServiceError::Unidentified(unknown).into());
        };
        let day = first_day(store.newest_date_before(attempt.called_after).await?);
        let is_signed = attempt.order_id.is_some();
        let is_restored = is_signed && store.was_restored_since(&attempt).await?;
        let mut search = Search::new(request, is_signed, is_restored, &day);
        let statuses = &executor.shared.statuses;
        let mut reader = executor.list_reader();
        // A payment of this proxy that must be on one of the pages, unless `first_page` or `page_parameter` is wrong.
        let mut expected = store.payment_before(attempt.called_at).await?;
        let (mut is_empty, mut first) = (true, None);
        while let Some(records) = executor
            .next_page(&mut reader, Some(&mut self.held))
            .await?
        {
            is_empty = false;
            first.get_or_insert_with(|| records.iter().filter_map(transaction_id).collect());
            for record in &records {
                expected = expected.filter(|id| transaction_id(record).as_ref() != Some(id));
                let has_ended = is_restored && statuses.meaning(record) == Meaning::Closed;
                if !has_ended && search.concerns(record) {
                    let (id, invoice) = (transaction_id(record), search.other_invoice(record));
                    let id = id.unwrap_or_default();
                    let owner = store.owner_of_payment(&id, &attempt, invoice.as_deref());
                    search.add(record, owner.await?);
                }
            }
            if executor.is_past(&records, &day) {
                break;
            }
        }
        if let Some(expected) = expected {
            service.misnumbered(if is_empty { "empty" } else { "missing" });
            let lacks = format!("the list lacks the payment {expected}; check `first_page`");
            return Err(ServiceError::Unidentified(lacks).into());
        }
        let unclear = |other| ServiceError::Unidentified(format!("it may be {other}"));
        let found = search.found().map_err(unclear)?;
        Ok((found, reader.position(), first.unwrap_or_default()))
    }

    /// What the list says about the payment of the attempt, as this evidence.
    pub(super) async fn listed(
        &mut self,
        id: &str,
        evidence: fn(Listed) -> Evidence<String>,
    ) -> Result<News, Error> {
        let executor = self.executor;
        let statuses = &executor.shared.statuses;
        let created = self.held.attempt.record.clone().unwrap_or_default();
        let day = first_day(created.text("createdAt"));
        let mut reader = executor.list_reader();
        let page = executor.page_with(id, &day, &mut reader, &mut self.held);
        let (mut records, asked_after) = match page.await {
            Ok(page) => page,
            Err(Error::Service(error)) => {
                return Ok(self.failed(error, evidence(Listed::Unclear)));
            }
            Err(error) => return Err(error),
        };
        if !records.is_empty() {
            // The next page may have the payment, too, with another status. A page past the end may be refused.
            let next = reader.page(reader.position()).await.ok().flatten();
            records.extend(next.unwrap_or_default());
        }
        let (listed, record) = sighting(&records, id, &created, &statuses.mapping());
        self.listed.clone_from(&record);
        Ok(News {
            meaning: (record.as_ref())
                .map_or(Meaning::NotMapped, |record| statuses.meaning(record)),
            record,
            asked_after,
            ..News::of(evidence(listed))
        })
    }
}

impl Executor {
    pub(super) fn list_reader(&self) -> ListReader<'_> {
        let calls = self.shared.config.upstream.timeout * MAX_CALLS;
        self.shared.service.list_reader(calls.max(MIN_TIME))
    }

    /// # Errors
    /// The list has a page before the first one, which has these payments.
    pub(super) async fn check_first_page(&self, first: &HashSet<String>) -> Result<(), Error> {
        if self.shared.service.has_earlier_page(first).await {
            let lacks = "the list has a page before the first one; check `first_page`".to_owned();
            return Err(ServiceError::Unidentified(lacks).into());
        }
        Ok(())
    }

    /// The records of the next page. A single failed page does not end a long search. `held` is renewed.
    pub(super) async fn next_page(
        &self,
        reader: &mut ListReader<'_>,
        mut held: Option<&mut Held>,
    ) -> Result<Option<Vec<Record>>, Error> {
        let mut tries = 0;
        loop {
            if let Some(held) = &mut held {
                self.shared.store.renew_attempt(held).await?;
            }
            tries += 1;
            match reader.next().await {
                Err(ServiceError::Unread(unread)) => return Err(ServiceError::from(unread).into()),
                Err(_) if reader.position() > 0 && tries < TRIES => {}
                read => return Ok(read?),
            }
        }
    }

    /// The records of the first page that has a payment, and the last event when it was asked for. No record if the pages since this day
    /// don't have the payment.
    async fn page_with(
        &self,
        id: &str,
        day: &str,
        reader: &mut ListReader<'_>,
        held: &mut Held,
    ) -> Result<(Vec<Record>, i64), Error> {
        let (first, mut seen) = (self.first_page_of(id).await?, self.listed_at.get(id));
        reader.skip_to(seen.as_ref().map_or(first, |seen| seen.value));
        loop {
            let asked_after = self.shared.store.last_event().await?;
            let page = self.next_page(reader, Some(held)).await?;
            let records = page.unwrap_or_default();
            self.note_seen(&records, reader);
            let is_it = |record: &Record| transaction_id(record).as_deref() == Some(id);
            if records.iter().any(is_it) {
                return Ok((records, asked_after));
            }
            if records.is_empty() || self.is_past(&records, day) {
                if seen.take().is_none() {
                    return Ok((Vec::new(), asked_after));
                }
                // Payments before it may have left the list.
                reader.go_to(first);
            }
        }
    }

    /// Notes the payments of the page that was read last.
    fn note_seen(&self, records: &[Record], reader: &ListReader<'_>) {
        for id in records.iter().filter_map(transaction_id) {
            self.listed_at
                .insert(&id, reader.position().saturating_sub(1));
        }
    }

    /// The first page of the list that can have a payment: those before it have payments that this proxy created later.
    pub(super) async fn first_page_of(&self, id: &str) -> Result<u32, Error> {
        let Shared { store, config, .. } = &*self.shared;
        if config.upstream.list_order != ListOrder::NewestFirst {
            return Ok(0);
        }
        let later = store.count_later(id).await?.saturating_sub(MAY_BE_MISSING);
        Ok(u32::try_from(later / PAGE_SIZE as u64).unwrap_or(0))
    }

    /// Whether later pages have only payments that were created before a day.
    pub(super) fn is_past(&self, page: &[Record], day: &str) -> bool {
        self.shared.config.upstream.list_order == ListOrder::NewestFirst
            && page.iter().all(|record| is_dated_before(record, day))
    }

    /// Reads payments in the service's list and stores their records, before a client gets them again. Takes at most as long
    /// as a call.
    ///
    /// # Errors
    /// If the list can't be read. Then the stored records are the latest ones known.
    pub(crate) async fn refresh(&self, ids: &[&str]) -> Result<(), Error> {
        let time = self.shared.config.upstream.timeout;
        let reading = tokio::time::timeout(time, self.reread(ids));
        reading
            .await
            .unwrap_or_else(|_| Err(ServiceError::from(Unread::Time).into()))
    }

    async fn reread(&self, ids: &[&str]) -> Result<(), Error> {
        let mut reader = self.list_reader();
        let (mut seen, mut unseen) = (Vec::new(), Vec::new());
        for id in ids {
            match self.listed_at.get(id) {
                Some(noted) => seen.push((noted.value, *id)),
                None => unseen.push((self.first_page_of(id).await?, *id)),
            }
        }
        for (_, id) in self.store_since(&mut reader, seen).await? {
            // Payments before it may have left the list.
            unseen.push((self.first_page_of(id).await?, id));
        }
        self.store_since(&mut reader, unseen).await.map(drop)
    }

    /// Reads the pages that may have these payments, each from this page on, and stores the records. Returns the payments that none
    /// of them has.
    async fn store_since<'a>(
        &self,
        reader: &mut ListReader<'_>,
        mut missing: Vec<(u32, &'a str)>,
    ) -> Result<Vec<(u32, &'a str)>, Error> {
        reader.go_to(0);
        while let Some((page, _)) = missing.iter().min() {
            reader.skip_to(*page);
            let asked_after = self.shared.store.last_event().await?;
            let records = self.next_page(reader, None).await?;
            let Some(records) = records.filter(|records| !records.is_empty()) else {
                break;
            };
            self.note_seen(&records, reader);
            let is_listed = |id: &str| {
                let mut listed = records.iter().filter_map(transaction_id);
                listed.any(|listed| listed == id)
            };
            for (_, id) in missing.extract_if(.., |(_, id)| is_listed(id)) {
                self.store_listed(id, &records, asked_after).await?;
            }
        }
        Ok(missing)
    }

    /// Stores the record of a payment on this page of the list, which was asked for after this event.
    pub(super) async fn store_listed(
        &self,
        id: &str,
        records: &[Record],
        asked_after: i64,
    ) -> Result<(), Error> {
        let Shared {
            store, statuses, ..
        } = &*self.shared;
        let (_, found) = sighting(records, id, &Record::default(), &statuses.mapping());
        if let Some(listed) = found {
            let change = ListedChange {
                transaction_id: id.to_owned(),
                meaning: statuses.meaning(&listed),
                listed,
            };
            store.store_changes(vec![change], asked_after).await?;
        }
        Ok(())
    }
}
