//! The one state of the element.

use std::collections::{BTreeMap, BTreeSet};

use tender_client::Failure;
use tender_protocol::{KnownPayment, PAGE_SIZE, Payment, Reconciling, Status};

use crate::book::Book;
use crate::filter::Filter;
use crate::key::Key;

/// Where the element stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The first page is on its way.
    Opening(Option<Key>),
    /// The proxy wants a merchant key.
    Locked(Entry),
    /// The list was read without a key, as behind the shop's login, and is so no longer: the login has ended.
    LoggedOut,
    /// The list can't be had.
    Unavailable(Option<Key>, Failure),
    /// The list is there.
    Open(Box<Desk>),
}

/// Why a key is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// There is none.
    Wanted,
    /// The proxy did not take it.
    Refused,
    /// What was typed can't be a key.
    Unfit,
}

/// The list, and what the merchant does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    /// The key that the list was read with; none where the shop's backend adds it.
    pub key: Option<Key>,
    /// What was read.
    pub book: Book,
    /// `transactionId`s of new payments that are not shown yet, so that no row moves.
    pub held: BTreeSet<String>,
    /// The page that is shown, counted from 0, of what matches.
    pub page: usize,
    /// What is looked for.
    pub filter: Filter,
    /// What lies behind what was read.
    pub older: Older,
    /// What came before it.
    pub head: Head,
    /// `transactionId`s of the payments that are selected.
    pub selected: BTreeSet<String>,
    /// Payments on their way to be cancelled.
    pub cancelling: Cancelling,
    /// What the proxy knows beyond the list.
    pub knowledge: Knowledge,
    /// How new payments become known.
    pub live: Live,
    /// The id of the last event of the stream.
    pub last_event_id: Option<String>,
    /// Whether the merchant is at work in the table.
    pub is_attended: bool,
}

/// What lies behind what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Older {
    /// There may be more.
    Open,
    /// Pages are wanted, as soon as what is new is known.
    Waiting(Goal),
    /// The next page is on its way.
    Reading(Run),
    /// Whether the pages belong where they were put is being looked at.
    Checking(Run, Verdict),
    /// So many pages were read, and none had what is looked for.
    NotFound(u32),
    /// That was all.
    End,
    /// The next page could not be read.
    Failed(Failure),
}

/// What older pages are read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To show the next one.
    Turn,
    /// Until one has what is looked for.
    Search,
    /// For nothing any more: it was stopped.
    Stop,
}

/// Older pages that are read, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What for.
    pub goal: Goal,
    /// How many were read.
    pub pages: u32,
    /// How many of them, in a row, held nothing new.
    pub barren: u32,
    /// `transactionId`s of the payments that they have brought.
    pub added: Vec<String>,
}

/// How a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is what it was for.
    Found,
    /// There is not, so far.
    NotFound,
    /// The list has no more.
    End,
}

/// What came before what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// All of it is known, as of the last look.
    Rest,
    /// It is being looked at; so many pages of it were read.
    Looking(u32),
    /// It could not be looked at.
    Failed(Failure),
}

/// Payments on their way to be cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancelling {
    /// None.
    No,
    /// Whether it is meant is asked, for these.
    Asking(Vec<Payment>),
    /// The service is asked to cancel them, one after the other.
    Running(Batch),
    /// The list is read to see what became of them.
    Looking(Batch),
    /// What became of them.
    Done(Vec<Outcome>),
}

/// What was asked of the service, and what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// What is still to be cancelled, the next one last.
    pub waiting: Vec<Payment>,
    /// What was answered.
    pub outcomes: Vec<Outcome>,
}

/// What became of one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The record before.
    pub before: Payment,
    /// Why the service, or the proxy, did not take the request; `None` where it did. That it did says nothing of the
    /// status.
    pub refusal: Option<Failure>,
    /// What the list said afterwards.
    pub seen: Seen,
}

/// What a fresh read of the list said of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing yet; so many pages were read for it.
    NotYet(u32),
    /// It has this status.
    Reads(Status),
    /// It is not where it was.
    Missing,
    /// The list could not be read.
    Unread(Failure),
}

/// What the proxy knows beyond the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// It does not say, or has not yet.
    Nothing,
    /// The proxy has no such route: it is not asked again.
    Absent,
    /// This.
    Known(Known),
}

/// What the proxy knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// By `transactionId`.
    pub payments: BTreeMap<String, KnownPayment>,
    /// Orders whose outcome is not known yet, newest first.
    pub reconciling: Vec<Reconciling>,
    /// Whether there are more of those.
    pub more: bool,
}

/// How new payments become known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Live {
    /// The proxy is asked for its stream; so many attempts before have failed.
    Connecting(u32),
    /// It tells of them.
    Streaming,
    /// The stream was lost so many times in a row; it is opened again when the time comes.
    Lost(u32),
    /// It has no stream: page one is read again and again.
    Polling,
    /// The page is hidden.
    Resting,
}

impl State {
    /// Nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::Opening(None)
    }

    /// The key in use.
    #[must_use]
    pub fn key(&self) -> Option<&Key> {
        match self {
            Self::Opening(key) | Self::Unavailable(key, _) => key.as_ref(),
            Self::Locked(_) | Self::LoggedOut => None,
            Self::Open(desk) => desk.key.as_ref(),
        }
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl Desk {
    /// A desk with nothing on it.
    #[must_use]
    pub fn new(key: Option<Key>) -> Self {
        Self {
            key,
            book: Book::default(),
            held: BTreeSet::new(),
            page: 0,
            filter: Filter::default(),
            older: Older::Open,
            head: Head::Rest,
            selected: BTreeSet::new(),
            cancelling: Cancelling::No,
            knowledge: Knowledge::Nothing,
            live: Live::Connecting(0),
            last_event_id: None,
            is_attended: false,
        }
    }

    /// What was read and is not held back.
    pub fn loaded(&self) -> impl Iterator<Item = &Payment> {
        let payments = self.book.payments().iter();
        payments.filter(|payment| !self.held.contains(&payment.transaction_id))
    }

    /// Those of it that are looked for.
    pub fn matching(&self) -> impl Iterator<Item = &Payment> {
        self.loaded().filter(|payment| self.filter.matches(payment))
    }

    /// Those of them that are on the page that is shown.
    pub fn shown(&self) -> impl Iterator<Item = &Payment> {
        self.matching().skip(self.page * PAGE_SIZE).take(PAGE_SIZE)
    }

    /// How many pages there are of what matches: one, where there is nothing.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.matching().count().div_ceil(PAGE_SIZE).max(1)
    }

    /// Whether there is, or may be, a page of older payments.
    #[must_use]
    pub fn has_older(&self) -> bool {
        self.page + 1 < self.pages() || (self.filter.is_empty() && self.older != Older::End)
    }

    /// The search that is under way.
    #[must_use]
    pub fn search(&self) -> Option<&Run> {
        match &self.older {
            Older::Reading(run) | Older::Checking(run, _) if run.goal == Goal::Search => Some(run),
            _ => None,
        }
    }
}
