//! The configuration, read from the element's attributes.

use tender_protocol::client::url::{self, InvalidProxyUrl};

/// The attributes of `<tender-payments>`, read and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The absolute URL of the merchant proxy, or of a backend that forwards to it, without a
    /// trailing slash.
    pub proxy: String,
    /// The BCP 47 tag of the language, if the page sets one.
    pub locale: Option<String>,
}

/// Why the attributes are invalid. The message is for the page's developer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// `proxy` is missing.
    #[error(
        "`proxy` is missing: set it to the URL of the merchant proxy, or of your backend that forwards to it"
    )]
    ProxyMissing,
    /// `proxy` is not a URL to which paths can be appended.
    #[error(transparent)]
    ProxyInvalid(#[from] InvalidProxyUrl),
}

impl Config {
    /// Reads the attributes. `attribute` returns the value of an attribute by its name; `resolve`
    /// makes a URL absolute.
    ///
    /// # Errors
    /// [`ConfigError`] if `proxy` is missing or invalid.
    pub fn read(
        attribute: impl Fn(&'static str) -> Option<String>,
        resolve: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let non_empty = |name| {
            let value = attribute(name).map(|value| value.trim().to_owned());
            value.filter(|value| !value.is_empty())
        };
        let proxy = non_empty("proxy").ok_or(ConfigError::ProxyMissing)?;
        Ok(Self {
            proxy: url::proxy_url(proxy, &resolve)?,
            locale: non_empty("locale"),
        })
    }
}
