//! Why a command failed, completely or in part.

use reqwest::StatusCode;

/// The message says what to do next. `docs/merchant.md` documents the exit codes.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Something failed.
    #[error("{0}")]
    Failed(String),
    /// The arguments are invalid.
    #[error("{0}")]
    Usage(String),
    /// A payment was not found in the pages that were read.
    #[error("{0}")]
    NotFound(String),
    /// The merchant key is missing or wrong.
    #[error(
        "the proxy refused the request: {0} Set one of its merchant keys with TENDER_MERCHANT_KEY or \
         --merchant-key-file"
    )]
    NotAllowed(String),
    /// Another response that is not 200, and its message.
    #[error("{1}")]
    Refused(StatusCode, String),
    /// The proxy did not respond.
    #[error(
        "can't reach the proxy at {address}: {reason}; set another address with --proxy or TENDER_PROXY"
    )]
    Unreachable {
        /// The address of the proxy.
        address: String,
        /// Why it can't be reached.
        reason: String,
    },
}

impl Failure {
    /// Whether the proxy does not have the route.
    pub(crate) fn is_missing_route(&self) -> bool {
        let missing = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED];
        matches!(self, Self::Refused(status, _) if missing.contains(status))
    }

    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Failed(_) | Self::Refused(..) => 1,
            Self::Usage(_) => 2,
            Self::NotFound(_) => 3,
            Self::NotAllowed(_) => 4,
            Self::Unreachable { .. } => 5,
        }
    }
}
