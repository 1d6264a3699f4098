//! The configuration of the proxy, as plain data.
//!
//! The program reads it from flags, environment variables and a file ([`Settings`]). Tests and
//! other programs create a [`Config`] directly.

mod database;
mod error;
mod keys;
mod order_key;
mod read;
mod secret;
mod settings;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue};
use reqwest::Url;
use tracing::level_filters::LevelFilter;

pub use database::Database;
pub use error::{ConfigError, ConfigErrors};
pub use order_key::OrderKey;
pub use secret::Secret;
pub use settings::Settings;

/// All settings. [`Config::new`] has the same defaults as the program, except that it stores its
/// data in memory and not in a file.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 selects a free port.
    pub listen: SocketAddr,
    /// Address that serves the metrics, without authentication.
    pub metrics_listen: Option<SocketAddr>,
    /// Maximum number of open connections.
    pub max_connections: usize,
    /// Timeout for request headers, and for a request body.
    pub request_timeout: Duration,
    /// Number of trusted reverse proxies in front of this one.
    pub trusted_proxies: usize,
    /// Token listings per minute and client address; for this and the next two settings, 0 means no
    /// limit.
    pub rate_limit_tokens: u32,
    /// Create requests per minute and client address.
    pub rate_limit_create: u32,
    /// Wrong credentials per minute and client address.
    pub rate_limit_failures: u32,
    /// Base URL of the payment endpoints.
    pub base_url: Url,
    /// Base URL of the token-listing endpoint.
    pub rates_base_url: Url,
    /// Headers for every request to the service, such as its credentials.
    pub upstream_headers: HeaderMap,
    /// Timeout for connecting to the service.
    pub upstream_connect_timeout: Duration,
    /// Timeout for a request to the service, including its response.
    pub upstream_timeout: Duration,
    /// How long after a request without a response the service may still execute it.
    pub upstream_settle: Duration,
    /// How often a read request to the service is retried.
    pub upstream_retries: usize,
    /// Consecutive failures before the circuit breaker opens; 0 disables it.
    pub upstream_failures: u32,
    /// How long the circuit breaker stays open.
    pub upstream_rest: Duration,
    /// Maximum number of payments that are created at the same time.
    pub max_creates: usize,
    /// Where the page number is sent when payments are listed.
    pub page_parameter: PageParameter,
    /// Number of the list's first page.
    pub first_page: u32,
    /// How long a token listing is cached; zero disables the cache.
    pub token_cache: Duration,
    /// Origins whose pages may call the proxy.
    pub allow_origin: AllowOrigin,
    /// Whether a page may set its own price.
    pub allow_unsigned_orders: bool,
    /// Keys that verify orders.
    pub order_keys: Vec<OrderKey>,
    /// Keys for receipts: the first one signs, all verify. Without any, keys are derived from the
    /// secrets of the order keys; without those, a random key is stored in the database.
    pub receipt_keys: Vec<Secret>,
    /// Keys that allow the merchant to list payments and to cancel any of them.
    pub merchant_keys: Vec<Secret>,
    /// The `statusId` or `statusText` of each status that ends a payment, so that its order can be
    /// paid again.
    pub status_closed: Vec<String>,
    /// Interval between two polls of the service's list while the status of a payment is tracked.
    pub poll_interval: Duration,
    /// Maximum number of pages that one poll reads.
    pub poll_pages: u32,
    /// Maximum number of open event streams.
    pub max_streams: usize,
    /// Secrets that may be the last part of the webhook URL; without any, there is no webhook.
    pub webhook_secrets: Vec<Secret>,
    /// Where attempts and payments are stored.
    pub database: Database,
    /// Directory that replaces the built-in widget.
    pub assets: Option<PathBuf>,
    /// Format of the log.
    pub log_format: LogFormat,
    /// Least severe level that is logged.
    pub log_level: LevelFilter,
}

impl Config {
    /// Creates a configuration with the defaults, for a service with these base URLs.
    #[must_use]
    pub fn new(base_url: Url, rates_base_url: Url) -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8081)),
            metrics_listen: None,
            max_connections: 900,
            request_timeout: Duration::from_secs(10),
            trusted_proxies: 0,
            rate_limit_tokens: 120,
            rate_limit_create: 30,
            rate_limit_failures: 10,
            base_url,
            rates_base_url,
            upstream_headers: HeaderMap::new(),
            upstream_connect_timeout: Duration::from_secs(5),
            upstream_timeout: Duration::from_secs(20),
            upstream_settle: Duration::from_secs(2),
            upstream_retries: 2,
            upstream_failures: 5,
            upstream_rest: Duration::from_secs(10),
            max_creates: 64,
            page_parameter: PageParameter::Query,
            first_page: 1,
            token_cache: Duration::from_mins(1),
            allow_origin: AllowOrigin::default(),
            allow_unsigned_orders: false,
            order_keys: Vec::new(),
            receipt_keys: Vec::new(),
            merchant_keys: Vec::new(),
            status_closed: Vec::new(),
            poll_interval: Duration::from_secs(5),
            poll_pages: 5,
            max_streams: 600,
            webhook_secrets: Vec::new(),
            database: Database::Memory,
            assets: None,
            log_format: LogFormat::Text,
            log_level: LevelFilter::INFO,
        }
    }
}

/// Where the page number of the list is sent. The service's document names a parameter `page` but
/// does not say where it goes ("List payments").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageParameter {
    /// `GET /api/v1/payment/list?page=1`
    Query,
    /// `GET /api/v1/payment/list/1`
    Path,
    /// `GET /api/v1/payment/list` with the body `{"page":1}`
    Body,
}

/// Origins whose pages may call the proxy. Pages of the proxy's own origin always may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowOrigin {
    /// Only these origins.
    Exactly(Vec<HeaderValue>),
    /// Any origin (`*`).
    Any,
}

impl Default for AllowOrigin {
    fn default() -> Self {
        Self::Exactly(Vec::new())
    }
}

/// Format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For humans.
    Text,
    /// One JSON object per line.
    Json,
}

impl FromStr for PageParameter {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "query" => Ok(Self::Query),
            "path" => Ok(Self::Path),
            "body" => Ok(Self::Body),
            _ => Err(()),
        }
    }
}

impl FromStr for LogFormat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(()),
        }
    }
}
