//! A thread with a connection to SQLite, where jobs that wait share a commit.
//!
//! To commit is to wait for the disk, and while one batch of jobs is committed the next one gathers. So
//! the more there is to do, the more jobs share a sync of the disk, and nobody waits for company. Each
//! job is answered when the commit of its batch is on the disk.

use std::io;
use std::thread;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::checkpoints::Checkpoints;
use super::{Error, Result, Session, WAIT_TIMEOUT};

/// How many jobs may wait; more wait for a place.
const QUEUE: usize = 1024;

/// How many share a commit at most, so that the first ones need not wait for too many others.
const BATCH: usize = 128;

/// The way to such a thread, which ends when nobody has one any more.
#[derive(Clone)]
pub(crate) struct Worker(mpsc::Sender<Box<dyn AnyJob>>);

/// What becomes of what is written.
pub(super) enum Mode {
    /// The jobs that wait are one transaction. A file's log grows by that.
    ReadWrite(Option<Checkpoints>),
    /// Nothing is written.
    ReadOnly,
}

/// A job, whatever its types.
trait AnyJob: Send {
    /// Does it. Whether what it wrote is to be kept.
    fn execute(&mut self, session: &mut Session) -> bool;
    /// Answers it, after what it wrote was committed or lost.
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
        // With SQLite there is nothing to wait for.
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
        // Who asked may have gone away.
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
    /// How many jobs nobody has begun.
    pub(super) fn waiting(&self) -> usize {
        self.0.max_capacity() - self.0.capacity()
    }
}

/// Does these jobs in one transaction, and answers them after its commit.
fn run_batch(session: &mut Session, batch: &mut Vec<Box<dyn AnyJob>>) {
    let committed = commit(session, batch);
    if let (Err(_), Session::Sqlite(connection)) = (&committed, session)
        && !connection.is_autocommit()
    {
        // What could not be committed must not stay open either.
        let _ = connection.execute_batch("ROLLBACK");
    }
    for job in batch.drain(..) {
        job.reply(committed.clone());
    }
}

fn commit(session: &mut Session, batch: &mut [Box<dyn AnyJob>]) -> Result<()> {
    // With the write lock from the start: one who reads first may be refused it later.
    run_sql(session, "BEGIN IMMEDIATE")?;
    for job in batch {
        run_sql(session, "SAVEPOINT job")?;
        let keep = job.execute(session);
        // SQLite takes all back where it must.
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
