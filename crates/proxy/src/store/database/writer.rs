//! The connection that writes to SQLite, and commits what waits at the same time together.
//!
//! A commit waits for the disk. Sessions take turns, each in a savepoint of the open transaction. Then each takes
//! another turn to commit, behind the sessions that wait by then, and the first one commits for all. So under
//! load many sessions share one sync, and none waits for a batch to fill up.

use std::sync::{Arc, OnceLock};

use sqlx::{AnyConnection, Connection as _};
use tokio::sync::{Mutex, OwnedMutexGuard, watch};
use tokio::time::timeout;

use super::{Error, Result, WAIT_TIMEOUT, executed};

/// The only connection that writes, because SQLite allows one writer. Clones share it.
#[derive(Clone)]
pub(super) struct Writer {
    connection: Arc<Mutex<Connection>>,
    /// Told of each commit.
    committed: watch::Sender<()>,
}

struct Connection {
    /// `None` once it was closed.
    connection: Option<AnyConnection>,
    /// The open transaction.
    batch: Option<Batch>,
}

/// The result of a transaction, once it was committed or rolled back.
type Batch = Arc<OnceLock<Result<()>>>;

/// The turn of a session in a savepoint, which is rolled back unless it is committed.
pub(super) struct Turn {
    writer: Writer,
    held: Option<(OwnedMutexGuard<Connection>, Batch)>,
}

impl Writer {
    pub(super) fn new(connection: AnyConnection) -> Self {
        let connection = Connection {
            connection: Some(connection),
            batch: None,
        };
        Self {
            connection: Arc::new(Mutex::new(connection)),
            committed: watch::Sender::default(),
        }
    }

    /// Closes the connection, which rolls back what is not committed.
    pub(super) async fn close(&self) -> sqlx::Result<()> {
        let connection = self.connection.lock().await.connection.take();
        match connection {
            Some(connection) => connection.close().await,
            None => Ok(()),
        }
    }

    pub(super) fn commits(&self) -> watch::Receiver<()> {
        self.committed.subscribe()
    }

    pub(super) async fn begin(&self) -> Result<Turn> {
        let writer = self.clone();
        uninterrupted(async move {
            let waiting = timeout(WAIT_TIMEOUT, Arc::clone(&writer.connection).lock_owned());
            let mut connection = waiting.await.map_err(|_| Error::Busy)?;
            let batch = connection.begin().await?;
            let held = Some((connection, batch));
            Ok(Turn { writer, held })
        })
        .await
    }

    /// Ends a savepoint and the transaction that it belongs to.
    async fn end(
        self,
        mut connection: OwnedMutexGuard<Connection>,
        batch: Batch,
        keep: bool,
    ) -> Result<()> {
        connection.end_savepoint(keep).await;
        // The lock is fair: sessions that wait for it already come first, and join this transaction.
        drop(connection);
        let mut connection = self.connection.lock().await;
        let committed = match batch.get() {
            Some(committed) => committed.clone(),
            None => connection.commit().await,
        };
        if keep {
            self.committed.send_replace(());
        }
        committed
    }
}

impl Turn {
    pub(super) fn connection(&mut self) -> Result<&mut AnyConnection> {
        let (held, _) = self.held.as_mut().ok_or(Error::Closed)?;
        held.open()
    }

    /// Returns when the commit is on disk.
    pub(super) async fn commit(mut self) -> Result<()> {
        let (connection, batch) = self.held.take().ok_or(Error::Closed)?;
        uninterrupted(self.writer.clone().end(connection, batch, true)).await
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some((connection, batch)) = self.held.take() {
            tokio::spawn(self.writer.clone().end(connection, batch, false));
        }
    }
}

impl Connection {
    /// Begins a savepoint, in a new transaction unless one is open.
    async fn begin(&mut self) -> Result<Batch> {
        let batch = if let Some(batch) = &self.batch {
            Arc::clone(batch)
        } else {
            // Takes the write lock at once, because upgrading a read lock may fail.
            self.execute("BEGIN IMMEDIATE").await?;
            Arc::clone(self.batch.insert(Batch::default()))
        };
        if let Err(error) = self.execute("SAVEPOINT job").await {
            self.roll_back().await;
            return Err(error);
        }
        Ok(batch)
    }

    async fn end_savepoint(&mut self, keep: bool) {
        let mut ended = Ok(());
        if !keep {
            ended = self.execute("ROLLBACK TO job").await;
        }
        if ended.is_ok() {
            ended = self.execute("RELEASE job").await;
        }
        // Some errors, such as a full disk, make SQLite roll back the whole transaction.
        if ended.is_err() {
            self.roll_back().await;
        }
    }

    async fn commit(&mut self) -> Result<()> {
        let committed = self.execute("COMMIT").await;
        if committed.is_err() {
            // A failed commit may leave the transaction open.
            let _ = self.execute("ROLLBACK").await;
        }
        self.close_batch(committed.clone());
        committed
    }

    async fn roll_back(&mut self) {
        let _ = self.execute("ROLLBACK").await;
        self.close_batch(Err(Error::RolledBack));
    }

    fn close_batch(&mut self, result: Result<()>) {
        if let Some(batch) = self.batch.take() {
            // Nobody else sets it.
            let _ = batch.set(result);
        }
    }

    fn open(&mut self) -> Result<&mut AnyConnection> {
        self.connection.as_mut().ok_or(Error::Closed)
    }

    async fn execute(&mut self, sql: &'static str) -> Result<()> {
        let done = executed(sqlx::query(sql).execute(self.open()?));
        Ok(done.await.map(drop)?)
    }
}

/// Completes a step also if the caller stops waiting, so that the state of the transaction is known.
async fn uninterrupted<T: Send + 'static>(
    step: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    tokio::spawn(step).await.unwrap_or(Err(Error::Closed))
}
