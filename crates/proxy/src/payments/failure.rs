//! Why a command came to nothing, or not to all.

use std::process::ExitCode;

/// The text says what to do next. The exit codes are documented in `docs/merchant.md`.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// Something failed.
    #[error("{0}")]
    Failed(String),
    /// The command can't be understood.
    #[error("{0}")]
    Usage(String),
    /// There is no such payment, as far as was looked.
    #[error("{0}")]
    NotFound(String),
    /// The proxy wants another key.
    #[error(
        "the proxy does not allow it: {0} Give one of its merchant keys, by TENDER_MERCHANT_KEY or \
         --merchant-key-file"
    )]
    NotAllowed(String),
    /// No answer.
    #[error("can't reach the proxy at {address}: {reason}; --proxy or TENDER_PROXY names another")]
    Unreachable {
        /// Where it was looked for.
        address: String,
        /// Why there is no answer.
        reason: String,
    },
}

impl Failure {
    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::NotFound(_) => 3,
            Self::NotAllowed(_) => 4,
            Self::Unreachable { .. } => 5,
        })
    }
}
