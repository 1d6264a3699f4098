//! What the proxy is told: plain data, however it came.
//!
//! The program reads it from flags, the environment and a file ([`Settings`]); tests and other
//! programs build a [`Config`] in code.

mod database;
mod error;
mod keys;
mod read;
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
pub use settings::Settings;

use crate::order::OrderKey;
use crate::secret::Secret;

/// Everything that can be set. [`Config::new`] has the defaults, but for the ledger, which is in memory
/// there; the program keeps it in a file.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where the metrics are shown, to whoever can reach that address.
    pub metrics_listen: Option<SocketAddr>,
    /// How many connections are open at once.
    pub max_connections: usize,
    /// The most time for the head of a request, and for its body.
    pub request_timeout: Duration,
    /// How many proxies of the operator's stand before this one.
    pub trusted_proxies: usize,
    /// Listings that an address may ask for in a minute; for this and the next two, 0 is no limit.
    pub rate_limit_tokens: u32,
    /// Payments that an address may ask for in a minute.
    pub rate_limit_create: u32,
    /// Wrong credentials that an address may show in a minute.
    pub rate_limit_failures: u32,
    /// Base address of the payment endpoints.
    pub base_url: Url,
    /// Base address of the token-listing endpoint.
    pub rates_base_url: Url,
    /// Sent with every request to the service, whose authentication is not documented.
    pub upstream_headers: HeaderMap,
    /// The most time to connect to the service.
    pub upstream_connect_timeout: Duration,
    /// The most time from the start of a request to the end of its answer.
    pub upstream_timeout: Duration,
    /// How long after a request that brought no answer the service may still carry it out.
    pub upstream_settle: Duration,
    /// How often a call that changes nothing is tried again.
    pub upstream_retries: usize,
    /// After how many failures in a row the service is left alone; 0 means never.
    pub upstream_failures: u32,
    /// For how long.
    pub upstream_rest: Duration,
    /// How many payments may be under way to the service at once.
    pub max_creates: usize,
    /// Where the list's page number travels.
    pub page_parameter: PageParameter,
    /// The number of the list's first page.
    pub first_page: u32,
    /// How long a token listing is served before it is fetched again; zero turns the cache off.
    pub token_cache: Duration,
    /// The origins whose pages may call the proxy.
    pub allow_origin: AllowOrigin,
    /// Whether a page may name its own price.
    pub allow_unsigned_orders: bool,
    /// The keys that orders are verified with.
    pub order_keys: Vec<OrderKey>,
    /// The first signs receipts, all verify them. Where there are none, keys are derived from the
    /// order keys' secrets; where there are none of those either, the ledger keeps a random one.
    pub receipt_keys: Vec<Secret>,
    /// With one of these the merchant may list payments and cancel any.
    pub merchant_keys: Vec<Secret>,
    /// How long after one reading of the service's list it is read again, while someone waits for a
    /// payment.
    pub poll_interval: Duration,
    /// How many pages of the list are read at once, at most.
    pub poll_pages: u32,
    /// How many streams of events may be open.
    pub max_streams: usize,
    /// What the last part of the webhook's address may be; without one there is no webhook.
    pub webhook_secrets: Vec<Secret>,
    /// Where the ledger of attempts is kept.
    pub database: Database,
    /// A directory that replaces the built-in widget.
    pub assets: Option<PathBuf>,
    /// How the program writes its log.
    pub log_format: LogFormat,
    /// The least severe level that the program logs.
    pub log_level: LevelFilter,
}

impl Config {
    /// The defaults, for a service at these addresses.
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

/// Where the number of the list's page travels. The service's document names a parameter `page`
/// and no place for it ("List payments").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageParameter {
    /// `GET /api/v1/payment/list?page=1`
    Query,
    /// `GET /api/v1/payment/list/1`
    Path,
    /// `GET /api/v1/payment/list` with the body `{"page":1}`
    Body,
}

/// The origins whose pages may call the proxy; pages of its own origin always may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowOrigin {
    /// These, exactly.
    Exactly(Vec<HeaderValue>),
    /// Every origin (`*`).
    Any,
}

impl Default for AllowOrigin {
    fn default() -> Self {
        Self::Exactly(Vec::new())
    }
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
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
