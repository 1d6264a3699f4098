//! The attempt store: every attempt to pay, in a database that all instances share.
//!
//! [`tender_ledger`] has the stages and decides how they follow each other. A lease ([`crate::store::lease`]) gives one
//! request at a time the right to work on an attempt. A unique index allows at most one open attempt per order.

mod attempt;
mod begin;
mod decide;
mod find;
mod late;
mod lease;
mod marks;
mod merchant;
mod owner;
mod prune;
mod secret;
mod statements;
mod stored;

use std::time::Duration;

use tender_protocol::ProblemCode;

pub(crate) use self::attempt::{Attempt, IdempotencyKey, Order};
pub(crate) use self::begin::{BeginError, Begun, Unknown};
pub(crate) use self::decide::News;
pub(crate) use self::find::OrderAttempt;
pub(crate) use self::lease::{Held, Timeouts};
pub(crate) use self::marks::Marked;
pub(crate) use self::merchant::InvoicePayment;
pub(crate) use self::prune::spawn_pruning;
pub(crate) use self::stored::StoredAttempt;

use crate::clock::{Clock, Millis};
use crate::config;
use crate::store::database::{self, Database, OpenError, query};
use crate::store::payments;

/// How long an attempt is kept after its last update, at least: as long as its payment, so that the
/// payment is never found or cancelled without it.
const RETENTION: Duration = payments::RETENTION;

/// How long an attempt is kept that left no payment.
const REFUSED_RETENTION: Duration = Duration::from_hours(24);

/// How long a payment counts as a new one.
const NEW: Duration = Duration::from_hours(1);

/// Stores all attempts.
pub(crate) struct AttemptStore {
    /// The database, which also has other tables.
    pub(crate) database: Database,
    pub(crate) timeouts: Timeouts,
}

/// A lease that another request holds.
pub(crate) struct HeldLease {
    pub(crate) id: String,
    fence: i64,
    /// Whether it is for the same payment, so that its result also answers this request.
    same: bool,
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
    ) -> Result<Self, OpenError> {
        let database = Database::open(config).await?;
        Ok(Self { database, timeouts })
    }

    /// The time of the database's clock.
    pub(crate) async fn clock(&self) -> database::Result<Clock> {
        self.database.clock().await
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

    /// A payment that can still be paid and was created in the hour before a time.
    pub(crate) async fn payment_before(&self, then: Millis) -> database::Result<Option<String>> {
        let since = then.saturating_sub(crate::clock::millis(NEW));
        let newest = query!(statements::NEWEST_OPEN, since, then);
        let newest = self.database.row::<(String,)>(newest).await?;
        Ok(newest.map(|(transaction_id,)| transaction_id))
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
        change: payments::ListedChange,
        read_at: Millis,
    ) -> database::Result<()> {
        let outbox = self.timeouts.outbox;
        let stored = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            payments::set_record(session, clock, change, read_at, outbox).await
        });
        stored.await
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
