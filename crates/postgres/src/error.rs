//! Why there is no server.

use std::io;

/// Why a server can't be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// PostgreSQL is not installed.
    #[error("PostgreSQL's `{0}` is not there; `cargo xtask setup native` installs it")]
    NotInstalled(&'static str),
    /// There is no user to run it as.
    #[error("PostgreSQL can't run as root, and there is no user `nobody` to run it as")]
    NoUser,
    /// The system refuses.
    #[error("can't {action}: {source}")]
    Run {
        /// What was to be done.
        action: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// A program ended badly.
    #[error("{program} failed: {reason}")]
    Failed {
        /// Which.
        program: String,
        /// What it said.
        reason: String,
    },
}

impl Error {
    pub(crate) fn run(action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Run { action, source }
    }
}
