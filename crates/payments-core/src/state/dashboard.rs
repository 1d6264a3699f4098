//! The state while the list is shown.

use std::collections::{BTreeMap, BTreeSet};

use tender_protocol::client::Failure;
use tender_protocol::{KnownPayment, Ledger, LinkLimits, PAGE_SIZE, Payment};

use super::cancellation::{Cancellation, can_be_cancelled};
use super::deliveries::{LatestDeliveries, PaymentDetails};
use super::older::OlderPages;
use super::payment_link::LinkDialog;
use crate::filter::Filter;
use crate::key::MerchantKey;
use crate::list::{ListPage, PaymentList};
use crate::sort::Sort;

/// The list of payments and what the merchant does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dashboard {
    /// The key that requests are sent with; `None` if the shop's backend adds it.
    pub key: Option<MerchantKey>,
    /// The payments that are loaded.
    pub list: PaymentList,
    /// The `transactionId`s of new payments that are not shown yet, so that no row moves while the
    /// merchant uses the table.
    pub hidden: BTreeSet<String>,
    /// The page of matching payments that is shown, counted from 0.
    pub page: usize,
    /// What the merchant searches for.
    pub filter: Filter,
    /// The order of the matching payments.
    pub sort: Sort,
    /// Loading the payments that are older than the loaded ones.
    pub older: OlderPages,
    /// Loading the payments that are newer than the loaded ones.
    pub refresh: Refresh,
    /// The `transactionId`s of the selected payments. Some may have changed since: see [`Self::selection`].
    pub selected: BTreeSet<String>,
    /// Cancelling payments.
    pub cancellation: Cancellation,
    /// What the proxy's ledger adds to the list, except for its payments.
    pub ledger: RouteData<Ledger>,
    /// What the ledger knows of payments, by `transactionId`.
    pub known: BTreeMap<String, KnownPayment>,
    /// The states of the notifications to the shop's backend.
    pub deliveries: RouteData<LatestDeliveries>,
    /// The details of one payment, while their dialog is open.
    pub details: Option<PaymentDetails>,
    /// Creating a payment link.
    pub link: LinkDialog,
    /// How the element receives new payments.
    pub updates: Updates,
    /// The id of the last event of the stream.
    pub last_event_id: Option<String>,
    /// Whether the pointer or the focus is in the table.
    pub is_interacting: bool,
}

/// Loading the payments that are newer than the loaded ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Nothing is being loaded, and the last refresh succeeded.
    Idle,
    /// They are being loaded.
    Loading(Newest),
    /// The last refresh failed.
    Failed(Failure),
}

/// The newest payments as far as they are loaded. They are shown once they reach a payment that was loaded before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Newest {
    /// The records.
    pub records: ListPage,
    /// The number of pages.
    pub pages: u32,
}

/// What a route returns that not every proxy has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteData<T> {
    /// Nothing has been loaded yet.
    NotLoaded,
    /// The proxy does not have this route. It is requested again later.
    Unsupported,
    /// It has been loaded.
    Loaded(T),
}

impl<T> RouteData<T> {
    /// What has been loaded, if anything.
    pub fn loaded(&self) -> Option<&T> {
        match self {
            Self::Loaded(data) => Some(data),
            Self::NotLoaded | Self::Unsupported => None,
        }
    }

    /// Whether the proxy does not have the route.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, Self::Unsupported)
    }

    /// Has the route requested again if the proxy did not have it.
    pub(crate) fn retry(&mut self) {
        if self.is_unsupported() {
            *self = Self::NotLoaded;
        }
    }
}

/// How the element receives new payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updates {
    /// The event stream is connecting, after this many failed attempts.
    Connecting(u32),
    /// The event stream is connected.
    Streaming,
    /// The event stream has failed this many times in a row. It reconnects when the timer fires.
    Disconnected(u32),
    /// The proxy does not offer an event stream, so page one is polled. This many polls have been
    /// made since the stream was last tried.
    Polling(u32),
    /// The page is hidden.
    Paused,
}

impl Dashboard {
    /// A dashboard without payments.
    pub fn new(key: Option<MerchantKey>) -> Self {
        Self {
            key,
            list: PaymentList::default(),
            hidden: BTreeSet::new(),
            page: 0,
            filter: Filter::default(),
            sort: Sort::default(),
            older: OlderPages::MaybeMore,
            refresh: Refresh::Idle,
            selected: BTreeSet::new(),
            cancellation: Cancellation::Idle,
            ledger: RouteData::NotLoaded,
            known: BTreeMap::new(),
            deliveries: RouteData::NotLoaded,
            details: None,
            link: LinkDialog::Closed,
            updates: Updates::Connecting(0),
            last_event_id: None,
            is_interacting: false,
        }
    }

    /// Whether the payments are tests, without real money: the ledger or a payment says so. The ledger says it before there
    /// is a payment, and a payment where the ledger can't be loaded.
    pub fn is_test(&self) -> bool {
        let in_ledger = self.ledger.loaded().is_some_and(|ledger| ledger.test_mode);
        in_ledger || self.list.payments().iter().any(|payment| payment.test_mode)
    }

    /// The limits of payment links; `None` if the proxy makes none.
    pub fn link_limits(&self) -> Option<&LinkLimits> {
        self.ledger.loaded()?.payment_links.as_ref()
    }

    /// The statuses of the service that no setting of the proxy maps.
    pub fn unmapped_statuses(&self) -> &[String] {
        let ledger = self.ledger.loaded();
        ledger.map_or(&[], |ledger| &ledger.unmapped_statuses)
    }

    /// The loaded payments without the hidden ones.
    pub fn visible(&self) -> impl Iterator<Item = &Payment> {
        let payments = self.list.payments().iter();
        payments.filter(|payment| !self.hidden.contains(&payment.transaction_id))
    }

    /// The visible payments that match the filter.
    pub fn matching(&self) -> impl Iterator<Item = &Payment> {
        self.visible()
            .filter(|payment| self.filter.matches(payment))
    }

    /// The matching payments in the chosen order.
    pub fn sorted(&self) -> impl Iterator<Item = &Payment> {
        let mut payments: Vec<_> = self.matching().collect();
        self.sort.apply(&mut payments);
        payments.into_iter()
    }

    /// The matching payments on the current page.
    pub fn on_page(&self) -> impl Iterator<Item = &Payment> {
        self.sorted().skip(self.page * PAGE_SIZE).take(PAGE_SIZE)
    }

    /// Whether all payments are shown in the service's order, so that its pages follow the loaded ones.
    pub fn is_whole_list(&self) -> bool {
        self.filter.is_empty() && self.sort == Sort::Newest
    }

    /// The payments on the current page that can be cancelled, and so selected.
    pub fn selectable(&self) -> impl Iterator<Item = &Payment> {
        self.on_page().filter(|payment| can_be_cancelled(payment))
    }

    /// The selected payments that can still be cancelled.
    pub fn selection(&self) -> impl Iterator<Item = &Payment> {
        let is_selected = |payment: &&Payment| self.selected.contains(&payment.transaction_id);
        self.visible()
            .filter(is_selected)
            .filter(|payment| can_be_cancelled(payment))
    }

    /// The number of pages of matching payments, at least 1.
    pub fn pages(&self) -> usize {
        self.matching().count().div_ceil(PAGE_SIZE).max(1)
    }

    /// Whether there is, or may be, a page of older payments.
    pub fn has_older(&self) -> bool {
        self.page + 1 < self.pages()
            || (self.is_whole_list() && self.older != OlderPages::AllLoaded)
    }
}
