//! What the proxy stores, in SQLite or PostgreSQL.

pub(crate) mod attempts;
pub(crate) mod database;
pub(crate) mod lease;
pub(crate) mod outbox;
pub(crate) mod payments;
mod restores;
#[cfg(test)]
pub(crate) mod testing;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use self::attempts::Observed;
use self::database::{Database, Error, OpenError, Result, Session, query};
use crate::clock::{Clock, Millis};
use crate::config::Config;
pub(crate) use crate::config::RETENTION;
use crate::random::fill;

/// Maximum number of changes that are read, or of rows that are pruned, at once: small enough that no request waits long
/// for the lock.
pub(crate) const BATCH: i64 = 500;

/// Pause between two batches that are pruned, during which waiting requests can use the database.
const PAUSE: Duration = Duration::from_millis(200);

const INSERT_SECRET: &str = "
    INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";

const FIND_SECRET: &str = "SELECT value FROM secrets WHERE name = $1";

const PRUNE_INTERVAL: Duration = Duration::from_mins(1);

/// The attempts, the payments and the outbox. Clones share the connections.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) database: Database,
    pub(crate) config: Arc<Config>,
    observed: Observed,
}

/// A transaction, which is rolled back unless it is committed.
pub(crate) struct Transaction {
    session: Session,
    /// When it began, by the database's clock.
    clock: Clock,
    config: Arc<Config>,
    observed: Observed,
}

impl Store {
    pub(crate) async fn open(config: &Arc<Config>) -> Result<Self, OpenError> {
        Ok(Self {
            database: Database::open(&config.store.database).await?,
            config: Arc::clone(config),
            observed: Observed::default(),
        })
    }

    /// Prunes old rows of each table every minute, until `stop`.
    pub(crate) async fn prune_until(self, stop: CancellationToken) {
        let pruning = async {
            loop {
                tokio::time::sleep(PRUNE_INTERVAL).await;
                if let Err(error) = self.prune().await {
                    tracing::warn!(%error, "can't prune the database");
                }
            }
        };
        stop.run_until_cancelled(pruning).await;
    }

    /// Prunes old rows of each table, in batches.
    pub(crate) async fn prune(&self) -> Result<()> {
        loop {
            self.database.count_time().await?;
            let age = self.clock().await?.age();
            let payments = self.prune_payments().await;
            let attempts = self.prune_attempts(age, BATCH).await?;
            let attempts = attempts.max(self.prune_missing(age, BATCH).await?);
            // Attempts are pruned also while payments can't be.
            if !matches!(payments, Ok(true)) && attempts < BATCH.unsigned_abs() {
                return payments.map(drop);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn transaction(&self) -> Result<Transaction> {
        let mut session = self.database.begin().await?;
        Ok(Transaction {
            clock: session.clock().await?,
            session,
            config: Arc::clone(&self.config),
            observed: self.observed.clone(),
        })
    }

    pub(crate) async fn clock(&self) -> Result<Clock> {
        self.database.clock().await
    }

    /// Returns a random secret that all instances share. The first call creates it.
    pub(crate) async fn secret(&self, name: &str) -> Result<String> {
        let insert = query!(INSERT_SECRET, name, random::<32>()?);
        self.database.write(insert).await?;
        let secret = self.find_secret(name).await?;
        secret.ok_or_else(|| Error::unreadable("a secret that was just stored is missing"))
    }

    pub(crate) async fn find_secret(&self, name: &str) -> Result<Option<String>> {
        let found = self
            .database
            .row::<(String,)>(query!(FIND_SECRET, name))
            .await?;
        Ok(found.map(|(secret,)| secret))
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

/// A value as JSON. Of a record, every value is as the service wrote it.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(Error::unwritable)
}

pub(crate) fn random<const BYTES: usize>() -> Result<String> {
    let mut bytes = [0; BYTES];
    fill(&mut bytes).map_err(Error::unwritable)?;
    Ok(hex::encode(bytes))
}

/// An id that starts with a time, so that new rows are adjacent in the index, and ends with random digits.
fn new_id(now: Millis) -> Result<String> {
    Ok(format!("{now:012x}{}", random::<10>()?))
}
