//! A thread with a SQLite connection, which commits waiting jobs together.
//!
//! A commit waits for the disk. The jobs that arrive meanwhile form the next batch, so under load
//! many jobs share one sync, and no job waits for a batch to fill up. Each job gets its result when
//! the commit of its batch is on disk.

use std::io;
use std::thread;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::checkpoints::Checkpoints;
use super::{Error, Result, Session, WAIT_TIMEOUT};

/// Size of the job queue; further jobs wait for a place.
const QUEUE: usize = 1024;

/// Maximum number of jobs per commit, so that the first ones don't wait too long.
const BATCH: usize = 128;

/// Handle to the thread, which ends when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct Worker(mpsc::Sender<Box<dyn AnyJob>>);

/// Whether jobs can write.
pub(super) enum Mode {
    /// Commits the waiting jobs together. With a file, checkpoints limit the size of the log.
    ReadWrite(Option<Checkpoints>),
    /// Runs the jobs without a transaction.
    ReadOnly,
}

/// A job of any type.
trait AnyJob: Send {
    /// Runs the job and returns whether its writes are kept.
    fn execute(&mut self, session: &mut Session) -> bool;
    /// Sends the result, after the commit has succeeded or failed.
    fn reply(self: Box<Self>, committed: Result<()>);
}

struct Job<J, T, E> {
    work: Option<J>,
    done: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<J, T, E> AnyJob for Job<J, T, E>
where
    J: for<'s> FnOnce(&'s mut Session) -> BoxFuture<'s, Result<T, E>> + Send,
    T: Send,
    E: From<Error> + Send,
{
    fn execute(&mut self, session: &mut Session) -> bool {
        // SQLite is synchronous, so the future is ready at once.
        let job = self.work.take();
        self.done = job.and_then(|job| job(session).now_or_never());
        matches!(self.done, Some(Ok(_)))
    }

    fn reply(self: Box<Self>, committed: Result<()>) {
        let result = match (self.done, committed) {
            (Some(Ok(_)), Err(error)) => Err(error.into()),
            (Some(done), _) => done,
            (None, committed) => Err(committed.err().unwrap_or(Error::Closed).into()),
        };
        // The caller may have stopped waiting.
        let _ = self.reply.send(result);
    }
}

impl Worker {
    pub(super) fn start(name: &str, connection: Connection, mut mode: Mode) -> io::Result<Self> {
        let (sender, mut jobs) = mpsc::channel(QUEUE);
        let mut session = Session::Sqlite(connection);
        let work = move || {
            let mut batch = Vec::with_capacity(BATCH);
            while jobs.blocking_recv_many(&mut batch, BATCH) > 0 {
                match &mut mode {
                    Mode::ReadWrite(checkpoints) => {
                        let jobs = batch.len();
                        run_batch(&mut session, &mut batch);
                        if let Some(checkpoints) = checkpoints {
                            checkpoints.jobs_committed(jobs);
                        }
                    }
                    Mode::ReadOnly => {
                        for mut job in batch.drain(..) {
                            job.execute(&mut session);
                            job.reply(Ok(()));
                        }
                    }
                }
            }
        };
        thread::Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(Self(sender))
    }

    pub(super) async fn run<T, E>(
        &self,
        job: impl for<'s> FnOnce(&'s mut Session) -> BoxFuture<'s, Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (reply, replied) = oneshot::channel();
        let job = Job {
            work: Some(job),
            done: None,
            reply,
        };
        let sent = self.0.send_timeout(Box::new(job), WAIT_TIMEOUT).await;
        sent.map_err(|error| match error {
            mpsc::error::SendTimeoutError::Timeout(_) => Error::Busy,
            mpsc::error::SendTimeoutError::Closed(_) => Error::Closed,
        })?;
        replied.await.unwrap_or_else(|_| Err(Error::Closed.into()))
    }
}

#[cfg(test)]
impl Worker {
    /// Number of jobs in the queue.
    pub(super) fn waiting(&self) -> usize {
        self.0.max_capacity() - self.0.capacity()
    }
}

/// Runs the jobs in one transaction and sends their results after its commit.
fn run_batch(session: &mut Session, batch: &mut Vec<Box<dyn AnyJob>>) {
    let committed = commit(session, batch);
    if let (Err(_), Session::Sqlite(connection)) = (&committed, session)
        && !connection.is_autocommit()
    {
        // A failed commit may leave the transaction open.
        let _ = connection.execute_batch("ROLLBACK");
    }
    for job in batch.drain(..) {
        job.reply(committed.clone());
    }
}

fn commit(session: &mut Session, batch: &mut [Box<dyn AnyJob>]) -> Result<()> {
    // Take the write lock at once, because upgrading a read lock may fail.
    run_sql(session, "BEGIN IMMEDIATE")?;
    for job in batch {
        run_sql(session, "SAVEPOINT job")?;
        let keep = job.execute(session);
        // Some errors, such as a full disk, make SQLite roll back the whole transaction.
        if let Session::Sqlite(connection) = session
            && connection.is_autocommit()
        {
            return Err(Error::RolledBack);
        }
        if !keep {
            run_sql(session, "ROLLBACK TO job")?;
        }
        run_sql(session, "RELEASE job")?;
    }
    run_sql(session, "COMMIT")
}

fn run_sql(session: &mut Session, sql: &str) -> Result<()> {
    if let Session::Sqlite(connection) = session {
        connection.prepare_cached(sql)?.execute([])?;
    }
    Ok(())
}
