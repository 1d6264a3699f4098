//! Bringing SQLite's write-ahead log over to the file, beside the work.
//!
//! Left to itself the connection that writes does it, and everyone waits meanwhile. Another connection may do
//! nearly all of it at the same time. To the log's beginning only the writer goes back, where nothing of it is
//! left to bring over: so a small rest is the writer's.

use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rusqlite::Connection;

/// After so many jobs: a few megabytes.
const JOBS_PER_CHECKPOINT: usize = 256;

/// Counts jobs, and has their pages brought over now and then.
pub(super) struct Checkpoints {
    jobs: usize,
    due: SyncSender<()>,
}

impl Checkpoints {
    /// A thread with a connection of its own; it ends with this.
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (due, is_due) = sync_channel(1);
        let checkpoints = move || {
            for () in is_due {
                // PASSIVE waits for nobody, and nobody waits for it. It answers with a row of counts.
                let done = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                if let Err(error) = done {
                    tracing::warn!(%error, "the ledger's log can't be brought over to its file");
                }
            }
        };
        let thread = thread::Builder::new().name("database-checkpoints".to_owned());
        thread.spawn(checkpoints)?;
        Ok(Self { jobs: 0, due })
    }

    /// So many jobs were committed.
    pub(super) fn jobs_committed(&mut self, jobs: usize) {
        self.jobs += jobs;
        // Where it is still at work, it is asked again next time.
        if self.jobs >= JOBS_PER_CHECKPOINT && self.due.try_send(()).is_ok() {
            self.jobs = 0;
        }
    }
}
