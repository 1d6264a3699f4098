//! Addresses that a record names and that a page may use.
//!
//! A listing is data from elsewhere: what is not plainly an https address is not used, so that a
//! `javascript:` in a record stays text.

use crate::rail::TransactionHash;

/// An address of a token's picture: https, or http on this machine (as the sandbox serves it).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogoUrl(String);

/// The prefix of a network's block explorer: https, with a host.
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
    /// `None` where `prefix` is not an https address.
    #[must_use]
    pub fn parse(prefix: &str) -> Option<Self> {
        let parts = Parts::split(prefix)?;
        (parts.scheme == "https").then(|| Self(prefix.to_owned()))
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

/// The pieces of an absolute address that decide whether it is used.
struct Parts<'a> {
    scheme: String,
    authority: &'a str,
}

impl<'a> Parts<'a> {
    /// `None` for anything but `scheme://host[:port]` with what may follow it (RFC 3986, section
    /// 3): no user, no white space, no control characters, a host in ASCII.
    fn split(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next()?;
        let host_character = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        let clean = url
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\`".contains(&byte));
        let usable = clean && !authority.is_empty() && authority.bytes().all(host_character);
        usable.then(|| Self {
            scheme: scheme.to_ascii_lowercase(),
            authority,
        })
    }

    /// The authority without its port.
    fn hostname(&self) -> &'a str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => self.authority,
        }
    }
}
