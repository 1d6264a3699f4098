//! Addresses, as far as it must be known whether they are used.

/// An element's `proxy` is not an address that paths can be appended to. The message is for the page's developer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`proxy` is not an http(s) address without a user, query or fragment: `{0}`")]
pub struct NotABase(pub String);

/// The proxy that an element's `proxy` attribute names: absolute, without a slash at its end. `resolve` makes an address
/// of the page's absolute.
///
/// # Errors
/// [`NotABase`].
pub fn base(proxy: String, resolve: &dyn Fn(&str) -> Option<String>) -> Result<String, NotABase> {
    match resolve(&proxy).filter(|url| is_base(url)) {
        Some(url) => Ok(url.trim_end_matches('/').to_owned()),
        None => Err(NotABase(proxy)),
    }
}

/// Whether paths can be appended to `url`: http or https, without a query or a fragment.
fn is_base(url: &str) -> bool {
    Parts::split(url).is_some_and(|parts| {
        matches!(parts.scheme.as_str(), "https" | "http") && !parts.path.contains(['?', '#'])
    })
}

/// The pieces of an absolute address that decide whether it is used.
pub struct Parts<'a> {
    /// In lower case.
    pub scheme: String,
    /// Host, and port if there is one.
    pub authority: &'a str,
    /// With what may follow it: query and fragment.
    pub path: &'a str,
}

impl<'a> Parts<'a> {
    /// `None` for anything but `scheme://host[:port]` with what may follow it (RFC 3986, section
    /// 3): no user, no white space, no control characters, a host in ASCII.
    #[must_use]
    pub fn split(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once(':')?;
        let rest = rest.strip_prefix("//")?;
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
    #[must_use]
    pub fn hostname(&self) -> &'a str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => self.authority,
        }
    }
}
