//! What the element's attributes say.

use tender_client::address::{self, NotABase};

/// The attributes of `<tender-payments>`, read and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Absolute address of the merchant proxy, or of what forwards to it, without a slash at its end.
    pub proxy: String,
    /// BCP 47 tag of the language to speak, where the page sets one.
    pub locale: Option<String>,
}

/// Why the attributes make no element. The message is for the page's developer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// `proxy` is missing.
    #[error(
        "`proxy` is missing: set it to the address of the merchant proxy, or of the shop's backend that forwards to it"
    )]
    Missing,
    /// `proxy` is not an address that paths can be appended to.
    #[error(transparent)]
    Proxy(#[from] NotABase),
}

impl Config {
    /// Reads the attributes. `attribute` gives an attribute's value by its name, `resolve` makes an
    /// address of the page's absolute.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn read(
        attribute: impl Fn(&'static str) -> Option<String>,
        resolve: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let filled = |name| {
            let value = attribute(name).map(|value| value.trim().to_owned());
            value.filter(|value| !value.is_empty())
        };
        let proxy = filled("proxy").ok_or(ConfigError::Missing)?;
        Ok(Self {
            proxy: address::base(proxy, &resolve)?,
            locale: filled("locale"),
        })
    }
}
