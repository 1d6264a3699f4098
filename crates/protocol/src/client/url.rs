//! Validates URLs.

/// The `proxy` attribute is not a URL that paths can be appended to. The message is for the page's developer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`proxy` is not an http(s) address without a user, query or fragment: `{0}`; write it like https://pay.shop.example"
)]
pub struct InvalidProxyUrl(pub String);

/// The absolute URL of the proxy without a trailing slash. `resolve` makes a URL of the page absolute.
///
/// # Errors
/// [`InvalidProxyUrl`].
pub fn proxy_url(
    proxy: String,
    resolve: &dyn Fn(&str) -> Option<String>,
) -> Result<String, InvalidProxyUrl> {
    match resolve(&proxy).filter(|url| is_base(url) && !lacks_scheme(&proxy)) {
        Some(url) => Ok(url.trim_end_matches('/').to_owned()),
        None => Err(InvalidProxyUrl(proxy)),
    }
}

/// Whether this is a host with a port, without `https://`: it would be the name of a file beside the page.
fn lacks_scheme(proxy: &str) -> bool {
    let first = proxy.split('/').next();
    first.is_some_and(|first| first.contains(':')) && !proxy.contains("//")
}

/// Whether paths can be appended to `url`: it is http or https, without query and fragment.
fn is_base(url: &str) -> bool {
    UrlParts::split(url).is_some_and(|parts| {
        matches!(parts.scheme.as_str(), "https" | "http") && !parts.path.contains(['?', '#'])
    })
}

/// The parts of an absolute URL.
pub struct UrlParts<'a> {
    /// In lower case.
    pub scheme: String,
    /// Host, and port if there is one.
    pub authority: &'a str,
    /// The path, with query and fragment.
    pub path: &'a str,
}

impl<'a> UrlParts<'a> {
    /// Returns `None` unless `url` is `scheme://host[:port]` with an optional path (RFC 3986, section 3), without user,
    /// white space or control characters, and with an ASCII host.
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

    /// Whether requests to it are protected: by https, or because they stay on this machine, as in a demo.
    pub fn is_https_or_local(&self) -> bool {
        let is_local = || matches!(self.hostname(), "localhost" | "127.0.0.1" | "[::1]");
        self.scheme == "https" || (self.scheme == "http" && is_local())
    }

    /// The authority without its port.
    pub fn hostname(&self) -> &'a str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => self.authority,
        }
    }
}
