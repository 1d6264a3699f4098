//! Addresses in a record or an order that the page may load or link to.
//!
//! Both are untrusted data. Only plain https addresses are used, and http on this machine, so a `javascript:` address has
//! no effect.

use tender_protocol::client::url::UrlParts;

use crate::asset::TransactionHash;

/// The address of a token's logo, or of the page of the shop to go back to: https, or http on this machine (for the
/// sandbox and the demo).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafeUrl(String);

/// The address prefix of a network's block explorer: https, with a host and a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explorer(String);

impl SafeUrl {
    /// Returns `None` if `url` must be neither loaded nor linked.
    pub fn parse(url: &str) -> Option<Self> {
        let parts = UrlParts::split(url)?;
        parts.is_https_or_local().then(|| Self(url.to_owned()))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Explorer {
    /// Returns `None` if `prefix` is not an https address, or ends with the host, because an appended hash would then
    /// change the host.
    pub fn parse(prefix: &str) -> Option<Self> {
        let parts = UrlParts::split(prefix)?;
        (parts.scheme == "https" && !parts.path.is_empty()).then(|| Self(prefix.to_owned()))
    }

    /// The prefix, as in the record.
    pub fn prefix(&self) -> &str {
        &self.0
    }

    /// The page of a transaction: the prefix followed by the hash, even if the prefix contains a `#`.
    pub fn transaction(&self, hash: &TransactionHash) -> String {
        format!("{}{}", self.0, hash.as_str())
    }

    /// The explorer's start page, which is linked while no hash is known.
    pub fn origin(&self) -> String {
        match UrlParts::split(&self.0) {
            Some(parts) => format!("{}://{}/", parts.scheme, parts.authority),
            None => self.0.clone(),
        }
    }

    /// The explorer's host, which is shown as the link's target.
    pub fn host(&self) -> &str {
        UrlParts::split(&self.0).map_or("", |parts| parts.authority)
    }
}
