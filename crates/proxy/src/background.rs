//! Tasks in the background.

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Tasks that run until the proxy stops. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Background {
    /// Cancelled when the proxy begins to stop.
    pub(crate) stop: CancellationToken,
    /// What is finished before the process ends.
    pub(crate) tasks: TaskTracker,
}
