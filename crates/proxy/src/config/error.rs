//! What is wrong with the configuration: one sentence a setting, which says what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// One thing that is wrong. No message shows a value that may be secret.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file that a setting names can't be read.
    #[error("`{setting}` names {path}, which can't be read: {source}")]
    File {
        /// The setting.
        setting: &'static str,
        /// What it names.
        path: PathBuf,
        /// Why it can't be read.
        source: io::Error,
    },
    /// The configuration file is not TOML.
    #[error("line {line} of the configuration file is not TOML: {reason}")]
    Toml {
        /// Where.
        line: usize,
        /// What the reader says.
        reason: String,
    },
    /// The configuration file has a setting that does not exist.
    #[error("`{0}` in the configuration file is no setting; `--help` lists them")]
    Unknown(String),
    /// The configuration file gives something else than a text, an integer or a boolean.
    #[error("`{0}` in the configuration file must be a text, a number, true or false")]
    NotText(&'static str),
    /// An address without which nothing works.
    #[error("`{0}` is missing; set it to the address that the payment service gave you")]
    Missing(&'static str),
    /// A value that can't be understood.
    #[error("`{setting}` is {value:?}; write {expected}")]
    Invalid {
        /// The setting; never one that holds a secret.
        setting: &'static str,
        /// What it is.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A value that can't be used, and is not shown.
    #[error("`{setting}` can't be used: {reason}")]
    Unusable {
        /// The setting.
        setting: &'static str,
        /// What is wrong and what to do.
        reason: &'static str,
    },
    /// No create request could ever succeed.
    #[error(
        "no order can be accepted; set `order_key` or `order_key_file` to verify signed orders, or \
         `allow_unsigned_orders` where pages may name their own price"
    )]
    NoOrders,
}

/// Everything that is wrong, a line each.
#[derive(Debug)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> Self {
        Self(vec![error])
    }
}
