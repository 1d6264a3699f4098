//! Configuration errors. Each message names the setting and says what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// One configuration error. No message contains a secret.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file that a setting names can't be read.
    #[error("`{setting}` names {path}, which can't be read: {source}")]
    File {
        /// The setting.
        setting: String,
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The configuration file is not TOML.
    #[error("line {line} of the configuration file is not TOML: {reason}")]
    Toml {
        /// The line.
        line: usize,
        /// The message of the TOML parser, without the line.
        reason: String,
    },
    /// The configuration file has an unknown setting.
    #[error("`{0}` in the configuration file is not a setting; `--help` lists all settings")]
    Unknown(String),
    /// The value in the configuration file is not a string, an integer or a boolean.
    #[error("`{0}` in the configuration file must be a string, an integer, true or false")]
    NotText(String),
    /// A required setting is missing.
    #[error("`{0}` is missing; set it to the address that the payment service gave you")]
    Missing(String),
    /// A value can't be used.
    #[error("`{setting}` can't be used: {reason}")]
    Invalid {
        /// The setting.
        setting: String,
        /// What is wrong, and what to do. It does not contain a value that may be secret.
        reason: String,
    },
    /// Two settings have a key in common, so that knowing it for one purpose allows the other.
    #[error(
        "`{first}` and `{second}` have a key in common; generate a separate key for each purpose"
    )]
    SharedKey {
        /// A setting.
        first: &'static str,
        /// The other setting.
        second: &'static str,
    },
    /// A status has two meanings.
    #[error("`{0}` is in `status_paid` and in `status_closed`; remove it from one of them")]
    SharedStatus(String),
    /// Notifications could not be signed.
    #[error(
        "`notify_url` needs `notify_secret` or `notify_secret_file`, which signs the notifications; \
         `echo whsec_$(openssl rand -base64 32)` generates a good one"
    )]
    NoNotifySecret,
    /// No create request could succeed.
    #[error(
        "every order would be refused; set `order_key` or `order_key_file` to verify signed orders, \
         `payment_links` to have the proxy sign them, or `allow_unsigned_orders` to let pages set their own price"
    )]
    NoOrders,
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
