//! Settings of the HTTP server and of its limits per client address.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::{ArgAction, Args};
use reqwest::Url;
use tender_protocol::client::url::UrlParts;
use tender_protocol::path;

use super::brand::Brand;
use super::numbers::{number, positive, positive_seconds, seconds};

/// Addresses, connections and pages.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Server")]
pub struct Server {
    /// IP address and port to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8081", value_parser = address)]
    pub listen: SocketAddr,

    /// IP address and port for `GET /metrics`, `/healthz` and `/readyz`, without authentication and with
    /// connections of its own, so that they respond when `max_connections` are open
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub metrics_listen: Option<SocketAddr>,

    /// Maximum number of open connections; further clients wait
    #[arg(long, value_name = "NUMBER", default_value = "900", value_parser = positive::<usize>)]
    pub max_connections: usize,

    /// Address of this proxy as buyers see it, such as `https://pay.shop.example`, for payment links and
    /// forms in the HTML of a shop's page. The `Host` of a request is never used instead
    #[arg(long, value_name = "URL", value_parser = public_url)]
    pub public_url: Option<Url>,

    /// Timeout for request headers, for a request body, and for idle connections
    #[arg(long, id = "request_timeout_seconds", value_name = "SECONDS", default_value = "10", value_parser = positive_seconds)]
    pub request_timeout: Duration,

    /// How long the proxy still serves requests after a signal to stop, while `/readyz` already answers 503, so
    /// that a load balancer sends no more of them
    #[arg(long, id = "drain_seconds", value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    pub drain: Duration,

    /// Number of your own reverse proxies in front of this one. The client's address is taken from
    /// that position of `X-Forwarded-For`, counted from the end (nginx directly in front: 1); 0 uses the address of the connection
    #[arg(long, value_name = "NUMBER", default_value = "0", value_parser = number::<usize>)]
    pub trusted_proxies: usize,

    /// Origin whose pages may call the proxy, exactly as browsers send it
    /// (`https://shop.example`, or `capacitor://localhost` in an app), or `*` for any. `null` is the origin of
    /// sandboxed frames, which any site can have. Pages on the proxy's own origin need none
    #[arg(long, id = "allow_origin", value_name = "ORIGIN", value_parser = origin)]
    pub allow_origins: Vec<HeaderValue>,

    /// Serve the payment page `/pay`, which works without JavaScript
    #[arg(long, value_name = "BOOL", default_value = "true", action = ArgAction::Set)]
    pub hosted_page: bool,

    /// What the shop sets for the payment page.
    #[command(flatten)]
    pub brand: Brand,

    /// Directory that replaces the built-in widget; it is read at startup
    #[arg(long, value_name = "PATH", value_parser = directory)]
    pub assets: Option<PathBuf>,
}

impl Server {
    /// A path of this proxy as an address that buyers can open, or which setting is missing.
    pub(crate) fn public_address(&self, path: &str) -> Result<String, &'static str> {
        let Some(url) = &self.public_url else {
            return Err("`public_url` is not set; set it to the proxy's address as buyers see it");
        };
        Ok(format!("{}{path}", url.as_str().trim_end_matches('/')))
    }

    /// The address of the payment page without an order, or which setting is missing.
    pub(crate) fn payment_page(&self) -> Result<String, &'static str> {
        if !self.hosted_page {
            return Err("`hosted_page` is off, so orders have no payment page");
        }
        self.public_address(path::PAY)
    }

    /// The address of an order's payment page, or which setting is missing.
    pub(crate) fn payment_page_of(&self, order: &str) -> Result<String, &'static str> {
        Ok(format!("{}?order={order}", self.payment_page()?))
    }
}

fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse()
        .map_err(|_| "write an IP address and port, such as 127.0.0.1:8081")
}

fn public_url(text: &str) -> Result<Url, &'static str> {
    let fits = |parts: &UrlParts<'_>| parts.is_https_or_local() && !parts.path.contains(['?', '#']);
    let url = UrlParts::split(text)
        .filter(fits)
        .and_then(|_| text.parse().ok());
    url.ok_or("write an https address without a query, or http on this machine")
}

fn directory(text: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(text);
    if path.is_dir() {
        Ok(path)
    } else {
        Err("write the path of a directory that exists")
    }
}

/// Limits per client address; 0 disables one.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rate limits")]
pub struct Limits {
    /// Token listing requests per minute and client address; 0 disables the limit
    #[arg(long, id = "rate_limit_tokens", value_name = "NUMBER", default_value = "120", value_parser = number::<u32>)]
    pub tokens: u32,

    /// Create requests and payment links per minute and client address, and three times as many as payments that are cancelled or
    /// replaced; 0 disables the limit
    #[arg(long, id = "rate_limit_create", value_name = "NUMBER", default_value = "30", value_parser = number::<u32>)]
    pub create: u32,

    /// Wrong receipts, merchant keys and webhook secrets per minute and client address, each kind on
    /// its own; 0 disables the limit. Right ones are never refused
    #[arg(long, id = "rate_limit_failures", value_name = "NUMBER", default_value = "10", value_parser = number::<u32>)]
    pub failures: u32,
}

/// An origin as browsers write it: in lower case, without a default port and without a path; `null`; or `*` for any.
fn origin(text: &str) -> Result<HeaderValue, String> {
    if text.contains('*') && text != "*" {
        return Err(format!(
            "{text:?} is a pattern, and browsers send none; write each origin, such as https://shop.example"
        ));
    }
    // Pages in an app have a scheme of their own, such as `capacitor`, `ionic` or `tauri`.
    let is_bare = UrlParts::split(text).is_some_and(|parts| parts.path.is_empty());
    let is_normal = |url: Url| url.as_str().trim_end_matches('/') == text;
    match HeaderValue::from_str(text) {
        Ok(origin)
            if ["*", "null"].contains(&text) || is_bare && text.parse().is_ok_and(is_normal) =>
        {
            Ok(origin)
        }
        _ => Err(format!(
            "{text:?} is not an origin; write it as browsers send it, such as https://shop.example, or *"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_written_as_browsers_send_it() {
        for sent in [
            "https://shop.example",
            "https://shop.example:8443",
            "http://localhost",
            "capacitor://localhost",
            "ionic://localhost",
            "tauri://localhost",
            "null",
            "*",
        ] {
            assert!(origin(sent).is_ok(), "{sent}");
        }
        for other in [
            "https://shop.example/",
            "https://Shop.example",
            "https://shop.example:443",
            "capacitor://localhost/",
            "capacitor://a@localhost",
            "capacitor:localhost",
            "data:text/html,a",
            "shop.example",
            "NULL",
        ] {
            assert!(origin(other).is_err(), "{other}");
        }
    }
}
