//! A thread with a SQLite connection, which commits waiting jobs together.
//!
//! A commit waits for the disk. The jobs that arrive meanwhile form the next batch, so under load
//! many jobs share one sync, and no job waits for a batch to fill up. Each job gets its result when
//! the commit of its batch is on disk.

use std::io;
use std::thread;

use futures_util::FutureExt as _;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::local_clock::LocalClock;
use super::open_files::OpenFiles;
use super::{Error, Result, Session, WAIT_TIMEOUT};

/// Size of the job queue; further jobs wait for a place.
const QUEUE: usize = 1024;

/// Maximum number of jobs per commit, so that the first ones don't wait too long.
const BATCH: usize = 128;

/// Handle to the thread, which ends when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct Worker(mpsc::Sender<Job>);

/// Whether jobs can write.
pub(super) enum Mode {
    /// Commits the waiting jobs together, if the files are still there. There are none in memory.
    ReadWrite(Option<OpenFiles>),
    /// Runs the jobs without a transaction.
    ReadOnly,
}

/// Runs in the session, or fails with the error. Returns whether its writes are kept.
type Job = Box<dyn FnOnce(Result<Session<'_>>) -> (bool, Reply) + Send>;

/// Sends the result of a job, after the commit has succeeded or failed.
type Reply = Box<dyn FnOnce(Result<()>) + Send>;

impl Worker {
    pub(super) fn start(
        name: &str,
        mut connection: Connection,
        clock: LocalClock,
        mode: Mode,
    ) -> io::Result<Self> {
        let (sender, mut jobs) = mpsc::channel::<Job>(QUEUE);
        let work = move || {
            let mut batch = Vec::with_capacity(BATCH);
            while jobs.blocking_recv_many(&mut batch, BATCH) > 0 {
                match &mode {
                    Mode::ReadWrite(files) => {
                        run_batch(&mut connection, files.as_ref(), &clock, &mut batch);
                    }
                    Mode::ReadOnly => {
                        for job in batch.drain(..) {
                            let (_, reply) = job(Ok(Session::Sqlite(&mut connection, &clock)));
                            reply(Ok(()));
                        }
                    }
                }
            }
        };
        thread::Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(Self(sender))
    }

    /// Runs a job and returns its result when the commit is on disk.
    pub(super) async fn run<T, E>(
        &self,
        job: impl AsyncFnOnce(&mut Session<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (sender, result) = oneshot::channel();
        let job: Job = Box::new(move |session| {
            let done = match session {
                // SQLite is synchronous, so the future is ready at once.
                Ok(mut session) => job(&mut session)
                    .now_or_never()
                    .unwrap_or_else(|| Err(Error::Closed.into())),
                Err(error) => Err(error.into()),
            };
            let keep = done.is_ok();
            let reply: Reply = Box::new(move |committed| {
                // The caller may have stopped waiting.
                let _ = sender.send(done.and_then(|value| Ok(committed.map(|()| value)?)));
            });
            (keep, reply)
        });
        let sent = self.0.send_timeout(job, WAIT_TIMEOUT).await;
        sent.map_err(|error| match error {
            mpsc::error::SendTimeoutError::Timeout(_) => Error::Busy,
            mpsc::error::SendTimeoutError::Closed(_) => Error::Closed,
        })?;
        result.await.unwrap_or_else(|_| Err(Error::Closed.into()))
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
fn run_batch(
    connection: &mut Connection,
    files: Option<&OpenFiles>,
    clock: &LocalClock,
    batch: &mut Vec<Job>,
) {
    let mut replies = Vec::with_capacity(batch.len());
    let mut waiting = batch.drain(..);
    let committed = files
        .map_or(Ok(()), |files| files.check(connection))
        .and_then(|()| commit(connection, clock, &mut waiting, &mut replies));
    if let Err(error) = &committed {
        replies.extend(waiting.map(|job| job(Err(error.clone())).1));
        if !connection.is_autocommit() {
            // A failed commit may leave the transaction open.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
    for reply in replies {
        reply(committed.clone());
    }
}

/// Runs the jobs in one transaction.
fn commit(
    connection: &mut Connection,
    clock: &LocalClock,
    jobs: &mut impl Iterator<Item = Job>,
    replies: &mut Vec<Reply>,
) -> Result<()> {
    // Take the write lock at once, because upgrading a read lock may fail.
    run(connection, "BEGIN IMMEDIATE")?;
    for job in jobs {
        run(connection, "SAVEPOINT job")?;
        let (keep, reply) = job(Ok(Session::Sqlite(connection, clock)));
        replies.push(reply);
        // Some errors, such as a full disk, make SQLite roll back the whole transaction.
        if connection.is_autocommit() {
            return Err(Error::RolledBack);
        }
        if !keep {
            run(connection, "ROLLBACK TO job")?;
        }
        run(connection, "RELEASE job")?;
    }
    run(connection, "COMMIT")
}

fn run(connection: &Connection, sql: &str) -> Result<()> {
    Ok(connection.prepare_cached(sql)?.execute([]).map(drop)?)
}
