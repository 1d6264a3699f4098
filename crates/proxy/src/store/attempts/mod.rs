//! The attempt store: every attempt to pay, in a database that all instances share.
//!
//! | stage | what is known | what may happen next |
//! |---|---|---|
//! | requested, leased | the service is being called | the lease holder stores the result |
//! | requested, lease expired | the service may have created the payment | a request acquires the lease and searches the service's list first |
//! | created | the payment and its record | the buyer pays, or the payment is cancelled |
//! | cancelling | the payment may be cancelled | a request acquires the lease and cancels again |
//! | contradictory | the service returned a payment that contradicts the request | nothing; the merchant decides |
//! | ended | the payment is cancelled | the order can be paid again |
//! | refused | the service did nothing | the key and the order can be used again |
//!
//! A lease ([`crate::store::lease`]) gives one request at a time the right to work on an attempt. A
//! unique index allows at most one open attempt per order.

mod attempt;
mod begin;
mod claim;
mod creation_order;
mod lease;
mod merchant;
mod past;
mod prune;
mod secret;
mod statements;
mod stored_attempt;
mod write;

use std::time::Duration;

use tender_protocol::{CreatePayment, ProblemCode, Record};

pub(crate) use self::attempt::{Attempt, IdempotencyKey, Order};
pub(crate) use self::begin::{BeginError, BeginOutcome};
pub(crate) use self::claim::Claim;
pub(crate) use self::creation_order::{CreationTime, NewPayment};
pub(crate) use self::lease::{Lease, Outcome, Timeouts};
pub(crate) use self::prune::spawn_pruning;
pub(crate) use self::stored_attempt::{CreatedPayment, Stage, StoredAttempt};
pub(crate) use self::write::WriteError;

use self::lease::acquire;
use crate::clock::Clock;
use crate::config;
use crate::metrics::DatabaseLatency;
use crate::store::database::{self, Database, DatabaseError, query};
use crate::store::payments;
use crate::store::payments::Ending;

/// How long an attempt is kept after its last update, at least: as long as its payment, so that the
/// payment is never found or cancelled without it.
const RETENTION: Duration = payments::RETENTION;

/// How long an attempt is kept that left no payment.
const REFUSED_RETENTION: Duration = Duration::from_hours(24);

/// Stores all attempts.
pub(crate) struct AttemptStore {
    database: Database,
    timeouts: Timeouts,
}

/// A lease that another request holds.
pub(crate) struct HeldLease {
    pub(crate) id: String,
    fence: i64,
    /// Whether it is for the same payment, so that its result also answers this request.
    same: bool,
}

/// What a cancel request has to do next.
pub(crate) enum CancelStart {
    /// Forward the request: no attempt has this payment.
    Unknown,
    /// Forward nothing: the payment is cancelled.
    Ended,
    /// Wait: another request holds the lease.
    InProgress(HeldLease),
    /// Cancel the payment: this request holds the lease.
    Leased(Box<Lease>, CreatedPayment),
}

impl HeldLease {
    fn new(stored: &StoredAttempt, same: bool) -> Self {
        Self {
            id: stored.id.clone(),
            fence: stored.lease.fence(),
            same,
        }
    }
}

impl AttemptStore {
    pub(crate) async fn open(
        config: &config::Database,
        timeouts: Timeouts,
    ) -> Result<Self, DatabaseError> {
        let database = Database::open(config).await?;
        Ok(Self { database, timeouts })
    }

    /// Adds the time of each job in the database to these metrics.
    pub(crate) fn measured_by(self, latency: DatabaseLatency) -> Self {
        let database = self.database.measured_by(latency);
        Self { database, ..self }
    }

    /// The database, for the other tables in it.
    pub(crate) fn database(&self) -> Database {
        self.database.clone()
    }

    pub(crate) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    /// The time of the database's clock.
    pub(crate) async fn clock(&self) -> database::Result<Clock> {
        self.database.clock().await
    }

    /// Whether the database can be used.
    pub(crate) async fn ready(&self) -> database::Result<()> {
        self.database.ready().await
    }

    /// The problem that the lease ended with, if the waiting request asked for the same payment.
    pub(crate) async fn failure(&self, held: &HeldLease) -> database::Result<Option<ProblemCode>> {
        if !held.same {
            return Ok(None);
        }
        let stored = self.find(&held.id).await?;
        let stored = stored.filter(|stored| stored.lease.is_released(held.fence));
        Ok(stored.and_then(|stored| stored.failure))
    }

    /// Finds the attempt of a payment that is to be cancelled.
    pub(crate) async fn begin_cancel(&self, transaction_id: &str) -> database::Result<CancelStart> {
        let timeouts = self.timeouts;
        let find = query!(statements::BY_TRANSACTION, transaction_id);
        let begun = self.database.transaction(async move |session| {
            let Some(stored) = session.row::<StoredAttempt>(find).await? else {
                return Ok(CancelStart::Unknown);
            };
            let created = match &stored.stage {
                Stage::Created(created) | Stage::Cancelling(created) => created.clone(),
                Stage::Ended(_) => return Ok(CancelStart::Ended),
                _ => return Ok(CancelStart::Unknown),
            };
            let held = HeldLease::new(&stored, false);
            let clock = session.clock().await?;
            Ok(match acquire(session, stored, clock, timeouts).await? {
                Some(lease) => CancelStart::Leased(Box::new(lease), created),
                None => CancelStart::InProgress(held),
            })
        });
        begun.await
    }

    /// Whose payment this is, seen from an attempt that may have created it.
    pub(crate) async fn claim(
        &self,
        transaction_id: &str,
        attempt: &StoredAttempt,
    ) -> database::Result<Claim> {
        let (id, attempt) = (transaction_id.to_owned(), attempt.id.clone());
        self.database
            .read(async move |session| claim::of(session, &id, &attempt).await)
            .await
    }

    /// Frees the order of an archived attempt, whose payment is closed. Returns whether there is one.
    pub(crate) async fn end_past(&self, transaction_id: &str) -> database::Result<bool> {
        let ended = self.database.write(query!(past::END, transaction_id));
        Ok(ended.await? > 0)
    }

    /// Whether an attempt has or had this payment, or it was closed.
    pub(crate) async fn has_payment(&self, transaction_id: &str) -> database::Result<bool> {
        let id = transaction_id.to_owned();
        let claim = self
            .database
            .read(async move |session| claim::of(session, &id, "").await);
        Ok(claim.await? == Claim::Taken)
    }

    /// The invoice numbers of all other attempts that the service may have executed, except the
    /// attempt's own.
    pub(crate) async fn other_invoices(
        &self,
        stored: &StoredAttempt,
    ) -> database::Result<Vec<String>> {
        let others = query!(statements::OTHER_REQUESTS, stored.id.clone());
        let requests = self.database.rows::<(String,)>(others).await?;
        let invoices = requests.into_iter().map(|(request,)| {
            let request: CreatePayment = stored_attempt::from_json(&request)?;
            Ok(request.invoice_number)
        });
        let own = &stored.request.invoice_number;
        invoices
            .filter(|invoice| invoice.as_ref().ok() != Some(own))
            .collect()
    }

    /// The latest record of a payment; `None` if it is not tracked.
    pub(crate) async fn latest_record(
        &self,
        transaction_id: &str,
    ) -> database::Result<Option<payments::Change>> {
        let latest = query!(payments::LATEST, transaction_id);
        self.database.row(latest).await
    }

    /// Stores a record of the list and how the payment has ended by it, outside of a poll cycle.
    pub(crate) async fn set_record(
        &self,
        transaction_id: &str,
        record: &Record,
        ending: Option<Ending>,
    ) -> database::Result<()> {
        let (id, record) = (transaction_id.to_owned(), payments::text(record)?);
        let outbox = self.timeouts.outbox;
        let stored = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            payments::set_record(session, clock, &id, &record, ending, outbox).await
        });
        stored.await
    }

    /// Acquires the lease of an attempt; `None` if another request holds it or the attempt is gone.
    pub(crate) async fn acquire_by_id(&self, id: &str) -> database::Result<Option<Lease>> {
        let (find, timeouts) = (query!(statements::BY_ID, id), self.timeouts);
        let taken = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            match session.row(find).await? {
                Some(stored) => acquire(session, stored, clock, timeouts).await,
                None => Ok(None),
            }
        });
        taken.await
    }

    /// The attempt that has this payment.
    pub(crate) async fn of_payment(
        &self,
        transaction_id: &str,
    ) -> database::Result<Option<StoredAttempt>> {
        self.database
            .row(query!(statements::BY_TRANSACTION, transaction_id))
            .await
    }

    pub(crate) async fn find(&self, id: &str) -> database::Result<Option<StoredAttempt>> {
        self.database.row(query!(statements::BY_ID, id)).await
    }
}

#[cfg(test)]
mod tests;
