//! Waits for changes of the database, so that tasks in the background need not look for them all the time.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

/// The commits of SQLite, which only this process writes. Of those of other instances nothing is known.
pub(crate) struct Commits(pub(super) Option<watch::Receiver<()>>);

impl Commits {
    /// Later ones are those after this moment.
    pub(crate) fn mark_seen(&mut self) {
        if let Some(commits) = &mut self.0 {
            commits.mark_unchanged();
        }
    }

    /// Waits until there is a later one, or for this long. Returns at once if another instance may write.
    pub(crate) async fn next(&mut self, most: Duration) {
        if let Some(commits) = &mut self.0 {
            _ = timeout(most, commits.changed()).await;
        }
    }
}
