//! How the reads of a payment's status went.

/// After so many failures in a row, the page no longer says that it updates by itself.
const MOST_FAILED: u32 = 3;

/// How many records of the payment arrived, by requests and by the stream, and how many requests have failed since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    succeeded: u32,
    failed: u32,
}

impl Reads {
    /// A record arrived.
    pub(crate) const fn succeed(&mut self) {
        self.succeeded = self.succeeded.saturating_add(1);
        self.failed = 0;
    }

    /// A request failed. One that timed out has taken so long that it counts twice.
    pub(crate) const fn fail(&mut self, has_timed_out: bool) {
        let failed = if has_timed_out { 2 } else { 1 };
        self.failed = self.failed.saturating_add(failed);
    }

    /// How many succeeded.
    pub const fn succeeded(self) -> u32 {
        self.succeeded
    }

    /// Whether the status that is shown may be out of date.
    pub const fn are_failing(self) -> bool {
        self.failed >= MOST_FAILED
    }
}
