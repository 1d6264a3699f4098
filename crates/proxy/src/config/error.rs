//! Configuration errors.

use std::fmt;

/// One configuration error. It names the setting and says what to do, and contains no secret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);

impl ConfigError {
    /// A value can't be used, for this reason.
    pub(super) fn invalid(setting: &str, reason: impl fmt::Display) -> Self {
        Self(format!("`{setting}` can't be used: {reason}"))
    }
}

/// All configuration errors, one per line.
#[derive(Debug)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        formatter.write_str(&errors.join("\n"))
    }
}

impl std::error::Error for ConfigErrors {}

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> Self {
        Self(vec![error])
    }
}
