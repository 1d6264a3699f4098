//! Checkpoints SQLite's write-ahead log in the background.
//!
//! By default the writing connection does this, and all jobs wait meanwhile. A second connection
//! can do most of the work concurrently. Only the writer can restart the log, after everything in
//! it is checkpointed, so a small part of the work is left to the writer.

use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rusqlite::Connection;

/// Number of jobs between two checkpoints: a few megabytes of log.
const JOBS_PER_CHECKPOINT: usize = 256;

/// Counts jobs and starts a checkpoint when enough were committed.
pub(super) struct Checkpoints {
    jobs: usize,
    due: SyncSender<()>,
}

impl Checkpoints {
    /// Starts a thread with its own connection. The thread ends when this value is dropped.
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (due, is_due) = sync_channel(1);
        let checkpoints = move || {
            for () in is_due {
                // A PASSIVE checkpoint never waits for other connections and never blocks them. It
                // returns one row of counts.
                let done = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                if let Err(error) = done {
                    tracing::warn!(%error, "can't checkpoint the write-ahead log");
                }
            }
        };
        let thread = thread::Builder::new().name("database-checkpoints".to_owned());
        thread.spawn(checkpoints)?;
        Ok(Self { jobs: 0, due })
    }

    /// Adds the number of jobs that were committed.
    pub(super) fn jobs_committed(&mut self, jobs: usize) {
        self.jobs += jobs;
        // If a checkpoint is still running, try again after the next jobs.
        if self.jobs >= JOBS_PER_CHECKPOINT && self.due.try_send(()).is_ok() {
            self.jobs = 0;
        }
    }
}
