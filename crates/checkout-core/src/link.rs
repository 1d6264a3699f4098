//! Addresses that a record names and that a page may use.
//!
//! A listing is data from elsewhere: what is not plainly an https address is not used, so that a
//! `javascript:` in a record stays text.

use tender_client::address::Parts;

use crate::asset::TransactionHash;

/// An address of a token's picture: https, or http on this machine (as the sandbox serves it).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogoUrl(String);

/// The prefix of a network's block explorer: https, with a host and a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explorer(String);

impl LogoUrl {
    /// `None` where `url` is not an address that may be fetched as a picture.
    #[must_use]
    pub fn parse(url: &str) -> Option<Self> {
        let parts = Parts::split(url)?;
        let local = matches!(parts.hostname(), "localhost" | "127.0.0.1" | "[::1]");
        let allowed = parts.scheme == "https" || (parts.scheme == "http" && local);
        allowed.then(|| Self(url.to_owned()))
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Explorer {
    /// `None` where `prefix` is not an https address, or ends with its host: a hash behind it
    /// would make another host of it.
    #[must_use]
    pub fn parse(prefix: &str) -> Option<Self> {
        let parts = Parts::split(prefix)?;
        (parts.scheme == "https" && !parts.path.is_empty()).then(|| Self(prefix.to_owned()))
    }

    /// The prefix, as the record has it.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.0
    }

    /// The page of a transaction: the prefix with the hash behind it, whatever the prefix ends
    /// with (some hold a `#`).
    #[must_use]
    pub fn transaction(&self, hash: &TransactionHash) -> String {
        format!("{}{}", self.0, hash.as_str())
    }

    /// Where the explorer begins: the link for as long as no hash is known.
    #[must_use]
    pub fn origin(&self) -> String {
        match Parts::split(&self.0) {
            Some(parts) => format!("{}://{}/", parts.scheme, parts.authority),
            None => self.0.clone(),
        }
    }

    /// The explorer's host, to show where the link leads.
    #[must_use]
    pub fn host(&self) -> &str {
        Parts::split(&self.0).map_or("", |parts| parts.authority)
    }
}
