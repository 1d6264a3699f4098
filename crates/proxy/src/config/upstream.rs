//! Settings of the payment service and of calls to it.

use std::str::FromStr;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::header::{
    CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use axum::http::{HeaderName, HeaderValue};
use clap::{ArgAction, Args, ValueEnum};
use reqwest::Url;
use tender_protocol::secret_lines::is_quoted;

use super::is_local;
use super::numbers::{number, positive, positive_seconds, seconds};

/// The payment service.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Payment service")]
pub struct Upstream {
    /// Base URL of the service's payment endpoints
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub base_url: Url,

    /// Base URL of the service's token-listing endpoint
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub rates_base_url: Url,

    /// Send `upstream_header` without encryption, to a `base_url` or `rates_base_url` with http: in a network that only
    /// your own programs use, such as one of containers. An address of this machine needs no such permission
    #[arg(long, id = "allow_http_upstream", value_name = "BOOL", default_value = "false", action = ArgAction::Set)]
    pub allow_http: bool,

    /// Say that no real money moves, on the pages of buyers and in records, receipts and `/readyz`, and
    /// show buyers nothing that a wallet can pay. For the sandbox, whose wallets have no owner. A
    /// database is used in one mode only
    #[arg(long, value_name = "BOOL", default_value = "false", action = ArgAction::Set)]
    pub test_mode: bool,

    /// Header for every request to the service, such as its credentials
    #[arg(
        long,
        id = "upstream_header",
        value_name = "NAME: VALUE",
        hide_env_values = true
    )]
    pub headers: Vec<UpstreamHeader>,

    /// Timeout for connecting to the service
    #[arg(long, id = "upstream_connect_timeout_seconds", value_name = "SECONDS", default_value = "5", value_parser = positive_seconds)]
    pub connect_timeout: Duration,

    /// Timeout for a response of the service; the widget's own timeout is 30 seconds
    #[arg(long, id = "upstream_timeout_seconds", value_name = "SECONDS", default_value = "20", value_parser = positive_seconds)]
    pub timeout: Duration,

    /// How long the service may still process a request after the connection was lost; 0 if it
    /// processes nothing afterwards
    #[arg(long, id = "upstream_settle_seconds", value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub settle: Duration,

    /// How often to retry a read-only call (token listing, payment list) after a connection failure
    /// or a 5xx response, with random delays: up to 10 times
    #[arg(long, id = "upstream_retries", value_name = "NUMBER", default_value = "2", value_parser = retries)]
    pub retries: usize,

    /// Maximum number of concurrent create requests to the service
    #[arg(long, value_name = "NUMBER", default_value = "64", value_parser = positive::<usize>)]
    pub max_creates: usize,

    /// Where the page number of the payment list is sent: `query`, `path` or `body`
    #[arg(long, value_name = "PLACE", default_value = "query")]
    pub page_parameter: PageParameter,

    /// Number of the first page of the service's payment list
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = number::<u32>)]
    pub first_page: u32,

    /// Whether the payment list goes from the newest payments to the oldest: `newest-first` or `unknown`. With `unknown`, a
    /// search reads all pages, and the dashboard only the first one
    #[arg(long, value_name = "ORDER", default_value = "newest-first")]
    pub list_order: ListOrder,

    /// How long the token listing is cached; 0 disables the cache
    #[arg(long, id = "token_cache_seconds", value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub token_cache: Duration,

    /// Maximum age of a token listing that is served while a newer one can't be fetched; 0 disables
    /// this. No effect if `token_cache_seconds` is 0
    #[arg(long, id = "token_stale_seconds", value_name = "SECONDS", default_value = "86400", value_parser = seconds)]
    pub token_stale: Duration,
}

impl Upstream {
    /// The base URLs, with their settings.
    pub(crate) fn addresses(&self) -> [(&'static str, &Url); 2] {
        [
            ("base_url", &self.base_url),
            ("rates_base_url", &self.rates_base_url),
        ]
    }

    /// From the start of a call until the service can no longer execute it.
    pub(crate) fn until_settled(&self) -> Duration {
        self.timeout + self.settle
    }

    /// The base URLs to which requests are sent without encryption, to another machine.
    pub(super) fn exposed(&self) -> impl Iterator<Item = (&'static str, &Url)> {
        let is_exposed = |(_, url): &(&str, &Url)| url.scheme() == "http" && !is_local(url);
        self.addresses().into_iter().filter(is_exposed)
    }

    /// The headers for every request to the service.
    pub(crate) fn header_map(&self) -> HeaderMap {
        let mut map = HeaderMap::new();
        for UpstreamHeader { name, value } in &self.headers {
            map.append(name, value.clone());
        }
        map
    }
}

/// Where the page number of the list is sent. The service's document names a parameter `page` but
/// does not say where it goes ("List payments").
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PageParameter {
    /// `GET /api/v1/payment/list?page=1`
    Query,
    /// `GET /api/v1/payment/list/1`
    Path,
    /// `GET /api/v1/payment/list` with the body `{"page":1}`
    Body,
}

/// The order of the list. "The first page holds the last 20 payments" (the service's document, "List payments").
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListOrder {
    /// Later pages have older payments.
    NewestFirst,
    /// Every page may have any payment, so a search reads all of them.
    Unknown,
}

/// A base URL, to which a path is appended. The message does not quote it, because it may contain
/// credentials.
fn base_url(text: &str) -> Result<Url, &'static str> {
    let is_plain = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    };
    text.parse().ok().filter(is_plain).ok_or(
        "write an http or https URL without credentials and query; credentials belong into \
         `upstream_header`",
    )
}

/// Headers of the connection and the body (RFC 9110, sections 7.2, 7.6.1 and 8). The HTTP client sets them.
const SET_BY_CLIENT: [HeaderName; 8] = [
    CONNECTION,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    HOST,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// A header for every request to the payment service. Its `Debug` output does not show the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamHeader {
    pub(crate) name: HeaderName,
    pub(crate) value: HeaderValue,
}

impl UpstreamHeader {
    /// Whether the value, or the credential behind a scheme of authentication, is in quotes.
    pub(super) fn is_quoted(&self) -> bool {
        self.parts().into_iter().any(is_quoted)
    }

    /// The value, and what stands behind a scheme of authentication.
    fn parts(&self) -> [&str; 2] {
        let value = self.value.to_str().unwrap_or_default();
        let credential = value.split_once(' ').map(|(_, credential)| credential);
        [value, credential.unwrap_or(value)]
    }

    /// Whether the value is one of those that stand in examples and templates.
    pub(super) fn is_placeholder(&self) -> bool {
        let is_filler = |text: &str| text.bytes().all(|byte| b".*xX-_".contains(&byte));
        let begins = ["your", "change", "todo", "example"];
        self.parts().into_iter().any(|text| {
            let text = text.to_ascii_lowercase();
            is_filler(&text)
                || text.starts_with(['<', '$', '{', '[', '%'])
                || begins.iter().any(|begin| text.starts_with(begin))
        })
    }
}

/// Parses `Name: value`.
impl FromStr for UpstreamHeader {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let header = text.split_once(':').and_then(|(name, value)| {
            let name = HeaderName::from_str(name.trim()).ok()?;
            let mut value = HeaderValue::from_str(value.trim()).ok()?;
            value.set_sensitive(true);
            Some(Self { name, value })
        });
        let header = header.ok_or("each line must be `Name: value`")?;
        if header.value.is_empty() {
            return Err("the header has no value; write it after the colon, or remove the line");
        }
        if SET_BY_CLIENT.contains(&header.name) {
            return Err(
                "the proxy sets headers of the connection and the body, such as `Host` and \
                 `Content-Length`; remove the line",
            );
        }
        Ok(header)
    }
}

/// More would take longer than any request waits.
fn retries(text: &str) -> Result<usize, &'static str> {
    let retries = text.parse().ok().filter(|retries| *retries <= 10);
    retries.ok_or("write a whole number, 0 to 10")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_known() {
        for (value, is_placeholder) in [
            ("...", true),
            ("Bearer ...", true),
            ("Bearer $TOKEN", true),
            ("${TOKEN}", true),
            ("<your token>", true),
            ("your-api-key", true),
            ("CHANGEME", true),
            ("xxxx", true),
            ("Bearer upstream-secret-of-some-length", false),
            ("x1", false),
            ("0", false),
            ("Basic bWU6cHc=", false),
        ] {
            let header: UpstreamHeader = format!("X-Credential: {value}").parse().unwrap();
            assert_eq!(header.is_placeholder(), is_placeholder, "{value}");
        }
    }

    #[test]
    fn headers_of_the_connection_and_the_body_are_refused() {
        for name in [
            "Connection",
            "content-length",
            "Content-Type",
            "HOST",
            "Transfer-Encoding",
            "Upgrade",
        ] {
            let refused = format!("{name}: 5").parse::<UpstreamHeader>().unwrap_err();
            assert!(refused.ends_with("; remove the line"), "{refused}");
        }
        assert!("X-Credential:".parse::<UpstreamHeader>().is_err());
        let header: UpstreamHeader = "X-Credential: a:b ".parse().unwrap();
        assert_eq!(
            (header.name.as_str(), header.value.as_bytes()),
            ("x-credential", &b"a:b"[..])
        );
    }
}
