//! Addresses that a record names and that a page may use.
//!
//! A listing is data from elsewhere: what is not plainly an https address is not used, so that a
//! `javascript:` in a record stays text.

use crate::rail::TransactionHash;

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

/// Whether paths can be appended to `url`: http or https, without a query or a fragment.
pub(crate) fn is_base(url: &str) -> bool {
    Parts::split(url).is_some_and(|parts| {
        matches!(parts.scheme.as_str(), "https" | "http") && !parts.path.contains(['?', '#'])
    })
}

/// The pieces of an absolute address that decide whether it is used.
struct Parts<'a> {
    scheme: String,
    authority: &'a str,
    /// With what may follow it: query and fragment.
    path: &'a str,
}

impl<'a> Parts<'a> {
    /// `None` for anything but `scheme://host[:port]` with what may follow it (RFC 3986, section
    /// 3): no user, no white space, no control characters, a host in ASCII.
    fn split(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end)?;
        let host_character = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
        let clean = url
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\`".contains(&byte));
        let parts = Self {
            scheme: scheme.to_ascii_lowercase(),
            authority,
            path,
        };
        let usable = clean && !parts.hostname().is_empty() && authority.bytes().all(host_character);
        usable.then_some(parts)
    }

    /// The authority without its port.
    fn hostname(&self) -> &'a str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => self.authority,
        }
    }
}
