//! Reads the service's list page by page.
//!
//! The service documents at most 20 records per page, and nothing about a page past the end. So only
//! an empty page is the end of the list. A page with fewer records is not, and neither is one that is
//! refused or can't be read: then the list was not read to its end.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use backon::Retryable as _;
use serde_json::json;
use tender_ledger::transaction_id;
use tender_protocol::{Record, path};

use super::{JSON, PAYMENTS, Service, ServiceError, join_path};
use crate::clock::Instant;
use crate::config::PageParameter;

/// How many pages are read in order, at most: 1,000 payments.
pub(crate) const MAX_PAGES: u32 = 50;

/// Reads pages of the list, for one search or one poll cycle.
pub(crate) struct ListReader<'a> {
    service: &'a Service,
    /// Whether failed calls are repeated.
    pub(crate) is_retrying: bool,
    /// The number and the text of the page that was read last.
    last: Option<(u32, String)>,
    /// The next page to read in order.
    next: u32,
    pages: u32,
    until: Instant,
}

/// Why pages were not read in order to the end of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unread {
    #[error("the list has not ended after {MAX_PAGES} pages")]
    Pages,
    #[error("reading the list took too long")]
    Time,
    #[error("the list repeats a page; check `page_parameter` and `first_page`")]
    Repeated,
    #[error(
        "the list has none of the payments in the database; check `base_url`, `first_page` and `page_parameter`"
    )]
    OfOthers,
    /// Another search of this payment has ended for one of these reasons. The next one may begin
    /// after this time.
    #[error("the list could not be read to its end; the next search may begin in {0:?}")]
    Recently(Duration),
}

impl Service {
    /// A reader of the list. In order, it reads pages for `time` at most.
    pub(crate) fn list_reader(&self, time: Duration) -> ListReader<'_> {
        ListReader {
            service: self,
            is_retrying: true,
            last: None,
            next: 0,
            pages: 0,
            until: Instant::now() + time,
        }
    }

    /// "List payments": returns one page unchanged. Page 0 is the first, whatever number the
    /// service gives it.
    pub(crate) async fn list(&self, page: u32) -> Result<String, ServiceError> {
        let json = self.list_retrying(page).await?;
        Record::parse_array(&json, PAYMENTS)?;
        Ok(json)
    }

    /// Counts a page that shows that `first_page` or `page_parameter` is wrong, by one of the reasons of the metric. The first one
    /// of each is logged.
    pub(crate) fn misnumbered(&self, sign: &'static str) {
        if self.metrics.misnumbered_page(sign) == 0 {
            tracing::warn!(
                sign,
                "the service's list contradicts `first_page` or `page_parameter`"
            );
        }
    }

    /// Whether the page before the first one has other payments than these of the first page. If `first_page` is right, that
    /// page is refused, empty, or the first one again. Once that was seen, it is not read again.
    pub(crate) async fn has_earlier_page(&self, first: &HashSet<String>) -> bool {
        let Some(before) = self.first_page.checked_sub(1) else {
            return false;
        };
        if self.is_first_page_right.load(Ordering::Relaxed) {
            return false;
        }
        let listed = match self.list_numbered(before).await {
            Ok(json) => Record::parse_array(&json, PAYMENTS).unwrap_or_default(),
            Err(error) if error.is_past_the_end() => Vec::new(),
            Err(_) => return false,
        };
        let listed = listed.into_iter().flatten();
        let listed: HashSet<_> = listed
            .filter_map(|record| transaction_id(&record))
            .collect();
        if listed.is_empty() || !listed.is_disjoint(first) {
            // An empty list says nothing about its numbers.
            self.is_first_page_right
                .store(!first.is_empty(), Ordering::Relaxed);
            return false;
        }
        self.misnumbered("earlier");
        true
    }

    async fn list_retrying(&self, page: u32) -> Result<String, ServiceError> {
        let ask = async || self.list_once(page).await;
        ask.retry(self.retries)
            .when(ServiceError::is_transient)
            .await
    }

    async fn list_once(&self, page: u32) -> Result<String, ServiceError> {
        self.list_numbered(self.first_page.saturating_add(page))
            .await
    }

    /// The page to which the service gives this number.
    async fn list_numbered(&self, page: u32) -> Result<String, ServiceError> {
        let mut url = join_path(&self.base_url, path::LIST);
        let request = match self.page_parameter {
            PageParameter::Query => {
                url.query_pairs_mut().append_pair("page", &page.to_string());
                self.request(Method::GET, url)
            }
            PageParameter::Path => self.request(Method::GET, join_path(&url, &format!("/{page}"))),
            PageParameter::Body => {
                let mut request = self.request(Method::GET, url);
                request.headers_mut().insert(CONTENT_TYPE, JSON);
                *request.body_mut() = Some(json!({ "page": page }).to_string().into());
                request
            }
        };
        // On the heap, because each caller would hold a copy.
        let send = Box::pin(self.list.measured(self.text(request)));
        self.reads.read(page, send).await
    }
}

impl ListReader<'_> {
    /// The number of the next page, from 0.
    pub(crate) fn position(&self) -> u32 {
        self.next
    }

    /// Leaves out the pages before this one.
    pub(crate) fn skip_to(&mut self, page: u32) {
        self.next = self.next.max(page);
    }

    /// Goes on with this page, which may be an earlier one.
    pub(crate) fn go_to(&mut self, page: u32) {
        self.next = page;
    }

    /// The records of the next page; `None` at the end of the list. After an error, the same page is
    /// the next one.
    ///
    /// # Errors
    /// [`ServiceError::Unread`] at the limits, and if the list repeats a page.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<Record>>, ServiceError> {
        if self.pages == MAX_PAGES {
            return Err(Unread::Pages.into());
        }
        if Instant::now() >= self.until {
            return Err(Unread::Time.into());
        }
        self.pages += 1;
        let (records, is_repeated) = self.read(self.next).await?;
        // If the service's first number is higher, it may take the one before for the same.
        if is_repeated && self.next > 1 {
            return Err(Unread::Repeated.into());
        }
        self.next = self.next.saturating_add(1);
        Ok(records)
    }

    /// The records of a page; `None` if it is empty. An element that is not a record becomes one
    /// without fields.
    pub(crate) async fn page(&mut self, page: u32) -> Result<Option<Vec<Record>>, ServiceError> {
        Ok(self.read(page).await?.0)
    }

    /// The records of a page, and whether the page before it was the same.
    async fn read(&mut self, page: u32) -> Result<(Option<Vec<Record>>, bool), ServiceError> {
        let json = if self.is_retrying {
            self.service.list_retrying(page).await?
        } else {
            self.service.list_once(page).await?
        };
        let elements = Record::parse_array(&json, PAYMENTS)?;
        if elements.is_empty() {
            return Ok((None, false));
        }
        let last = self.last.replace((page, json));
        let is_repeated = last.is_some_and(|(number, last)| {
            number.checked_add(1) == Some(page)
                && self.last.as_ref().is_some_and(|(_, json)| *json == last)
        });
        if is_repeated {
            self.service.misnumbered("repeated");
        }
        let records = elements.into_iter().map(|element| {
            let mut record = element.unwrap_or_default();
            record.keep_last();
            record
        });
        Ok((Some(records.collect()), is_repeated))
    }
}
