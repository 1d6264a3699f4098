//! Errors of the test server.

use std::io;

/// Why a server can't be started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// PostgreSQL is not installed.
    #[error("PostgreSQL's `{0}` is not installed; `cargo xtask setup native` installs it")]
    NotInstalled(&'static str),
    /// There is no unprivileged user to run it as.
    #[error("PostgreSQL can't run as root, and there is no user `nobody` to run it as")]
    NoUser,
    /// A system call failed.
    #[error("can't {action}: {source}")]
    Run {
        /// The failed action.
        action: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// A program failed.
    #[error("{program} failed: {reason}")]
    Failed {
        /// The program.
        program: String,
        /// Its error output.
        reason: String,
    },
}

impl Error {
    pub(crate) fn run(action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Run { action, source }
    }
}
