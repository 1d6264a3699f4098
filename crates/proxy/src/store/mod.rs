//! What the proxy stores, in SQLite or PostgreSQL.

pub(crate) mod attempts;
pub(crate) mod database;
pub(crate) mod lease;
mod limits;
pub(crate) mod outbox;
pub(crate) mod payments;
mod random;
#[cfg(test)]
pub(crate) mod testing;

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use self::database::{Database, OpenError, Result, Session};
use self::lease::Term;
use self::outbox::Outbox;
use crate::clock::Clock;
use crate::config::Config;

/// The attempts, the payments and the outbox. Clones share the connections.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) database: Database,
    pub(crate) settings: StoreSettings,
}

/// What the store takes from the configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoreSettings {
    /// How long leases of attempts last, and calls to the service.
    pub(crate) term: Term,
    /// How long after a call without a response the service may still execute it.
    pub(crate) settle: Duration,
    /// How long after a payment was created the service's list is first polled for it.
    pub(crate) first_poll: Duration,
    /// How long an order is remembered after its attempt was pruned.
    pub(crate) order_memory: Duration,
    /// Whether events for the shop's backend are written.
    pub(crate) outbox: Outbox,
}

/// A transaction, which is rolled back unless it is committed.
pub(crate) struct Transaction {
    session: Session,
    /// When it began, by the database's clock.
    clock: Clock,
    settings: StoreSettings,
}

impl Store {
    /// Opens the database of the configuration.
    pub(crate) async fn open(config: &Config) -> Result<Self, OpenError> {
        Ok(Self {
            database: Database::open(&config.store.database).await?,
            settings: StoreSettings::new(config),
        })
    }

    async fn transaction(&self) -> Result<Transaction> {
        let mut session = self.database.begin().await?;
        Ok(Transaction {
            clock: session.clock().await?,
            session,
            settings: self.settings,
        })
    }

    /// The time of the database's clock.
    pub(crate) async fn clock(&self) -> Result<Clock> {
        self.database.clock().await
    }
}

impl StoreSettings {
    fn new(config: &Config) -> Self {
        Self {
            term: Term::for_calls(config.upstream.timeout),
            settle: config.upstream.settle,
            first_poll: config.tracking.poll_interval,
            order_memory: config.store.order_memory,
            outbox: Outbox::new(config),
        }
    }

    /// From the start of a call until the service can no longer execute it.
    fn until_settled(self) -> Duration {
        self.term.call + self.settle
    }
}

impl Transaction {
    /// Keeps its writes: they are on disk when this returns.
    async fn commit(self) -> Result<()> {
        self.session.commit().await
    }
}

impl Deref for Transaction {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}
