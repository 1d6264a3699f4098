//! Metrics for Prometheus.
//!
//! All labels have few values: routes instead of paths, codes instead of messages. No label
//! contains an address, an invoice or an amount. The table in docs/operations.md is made from the
//! declarations in [`Metrics::new`].

mod database;
mod labels;
mod outbox;
#[cfg(target_os = "linux")]
mod process;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime};

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry};

pub(crate) use self::database::DatabaseLatency;
use self::labels::{Endpoint, Operation, Outcome, Reason, Request, Route, Upstream};
use self::outbox::OutboxMetrics;

/// Upper bounds in seconds, from cached responses and database jobs to the service's timeout.
const BUCKETS: [f64; 10] = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];

type Histograms<L> = Family<L, Histogram, fn() -> Histogram>;

/// A time, in seconds since 1970; 0 means never.
type Timestamp = Gauge<f64, AtomicU64>;

/// Clones share the same counters.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    requests: Family<Request, Counter>,
    request_seconds: Histograms<Route>,
    upstream: Family<Upstream, Counter>,
    upstream_seconds: Histograms<Endpoint>,
    circuits: Family<Endpoint, Gauge>,
    tokens_fetched: Timestamp,
    /// Responses with a token listing that is older than it should be.
    pub(crate) stale_listings: Counter,
    /// Payments that were created too late and are not settled.
    pub(crate) late_duplicates: Gauge,
    attempts: Family<Outcome, Counter>,
    unresolved: Family<Reason, Gauge>,
    poll_cycles: Family<Outcome, Counter>,
    list_read: Timestamp,
    misnumbered_pages: Family<Reason, Counter>,
    webhooks: Family<Outcome, Counter>,
    pub(crate) outbox: OutboxMetrics,
    database_seconds: Histograms<Operation>,
    /// Open connections.
    pub(crate) connections: Gauge,
    /// Open event streams.
    pub(crate) streams: Gauge,
    /// Payments that an event stream of this instance watches.
    pub(crate) watched_payments: Gauge,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::default();
        let help = "When the proxy started, in seconds since 1970";
        let start: Timestamp = add(&mut registry, "process_start_time_seconds", help);
        start.set(now());
        #[cfg(target_os = "linux")]
        registry.register_collector(Box::new(process::Process));
        let to = registry.sub_registry_with_prefix("tender");
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        to.register("build", "Version of the program", build);
        let metrics = Self {
            requests: add(to, "http_requests", "Requests, by route and status"),
            request_seconds: add_histograms(
                to,
                "http_request_duration_seconds",
                "Time from a request to its response, by route",
            ),
            connections: add(to, "open_connections", "Open connections"),
            upstream: add(
                to,
                "upstream_requests",
                "Calls to the payment service, by endpoint and outcome: ok or a problem code",
            ),
            upstream_seconds: add_histograms(
                to,
                "upstream_request_duration_seconds",
                "Time from a call to the payment service to its response, by endpoint",
            ),
            circuits: add(
                to,
                "circuit_open",
                "1 while the circuit of an endpoint is open, else 0",
            ),
            tokens_fetched: add(
                to,
                "tokens_fetched_timestamp_seconds",
                "When this instance last fetched the token listing; 0 if never",
            ),
            stale_listings: add(
                to,
                "stale_token_listings",
                "Responses with an old token listing, because a newer one could not be fetched",
            ),
            late_duplicates: add(
                to,
                "late_duplicates",
                "Payments that were created too late and are not settled, of all instances",
            ),
            attempts: add(
                to,
                "attempts",
                "Create requests, by outcome: created, repeated (from the database), found (in the \
                 service's list) or a problem code",
            ),
            unresolved: add(
                to,
                "unresolved_orders",
                "Orders with an unknown outcome, by reason as in the ledger route",
            ),
            poll_cycles: add(
                to,
                "poll_cycles",
                "Polls of the service's list by this instance, by outcome: ok or a problem code",
            ),
            list_read: add(
                to,
                "list_read_timestamp_seconds",
                "When this instance last completed a poll of the service's list; 0 if never",
            ),
            misnumbered_pages: add(
                to,
                "misnumbered_pages",
                "Pages of the service's list that contradict `first_page` or `page_parameter`, by \
                 reason: repeated (the page before it was the same), empty (although there are \
                 payments) or missing (the newest payment is not on the first page)",
            ),
            webhooks: add(
                to,
                "webhooks",
                "Notifications of the payment service, by outcome: ok, refused (a wrong secret) or a problem code",
            ),
            outbox: OutboxMetrics::new(to),
            database_seconds: add_histograms(
                to,
                "database_duration_seconds",
                "Time of a job in the database, by operation: read or transaction",
            ),
            streams: add(to, "open_streams", "Open event streams"),
            watched_payments: add(
                to,
                "watched_payments",
                "Payments that an event stream of this instance watches",
            ),
            registry: Arc::default(),
        };
        Self {
            registry: Arc::new(registry),
            ..metrics
        }
    }

    /// Counts a request to the proxy.
    pub(crate) fn request(&self, route: &str, status: u16, took: Duration) {
        let route = route.to_owned();
        let by_route = Route {
            route: route.clone(),
        };
        self.requests
            .get_or_create(&Request { route, status })
            .inc();
        let seconds = self.request_seconds.get_or_create(&by_route);
        seconds.observe(took.as_secs_f64());
    }

    /// Counts a request to the service.
    pub(crate) fn upstream(&self, endpoint: &'static str, outcome: &'static str, took: Duration) {
        let labels = Upstream { endpoint, outcome };
        self.upstream.get_or_create(&labels).inc();
        let seconds = self.upstream_seconds.get_or_create(&Endpoint { endpoint });
        seconds.observe(took.as_secs_f64());
    }

    /// Notes that the token listing was fetched just now.
    pub(crate) fn tokens_fetched(&self) {
        self.tokens_fetched.set(now());
    }

    /// Counts a create request.
    pub(crate) fn attempt(&self, outcome: &'static str) {
        self.attempts.get_or_create(&Outcome { outcome }).inc();
    }

    /// Counts a poll of the service's list.
    pub(crate) fn poll_cycle(&self, outcome: &'static str) {
        self.poll_cycles.get_or_create(&Outcome { outcome }).inc();
        if outcome == "ok" {
            self.list_read.set(now());
        }
    }

    /// Counts a page of the service's list that contradicts the settings. Returns how many there were
    /// before, for the same reason.
    pub(crate) fn misnumbered_page(&self, reason: &'static str) -> u64 {
        let pages = self.misnumbered_pages.get_or_create(&Reason { reason });
        pages.inc()
    }

    /// Counts a notification of the service.
    pub(crate) fn webhook(&self, outcome: &'static str) {
        self.webhooks.get_or_create(&Outcome { outcome }).inc();
    }

    /// Replaces the numbers of orders with an unknown outcome. Each reason appears once in `counts`.
    pub(crate) fn unresolved(&self, counts: impl IntoIterator<Item = (&'static str, i64)>) {
        for (reason, count) in counts {
            self.unresolved.get_or_create(&Reason { reason }).set(count);
        }
    }

    /// Whether the circuit of an endpoint is open: 1 or 0.
    pub(crate) fn circuit(&self, endpoint: &'static str) -> Gauge {
        self.circuits.get_or_create(&Endpoint { endpoint }).clone()
    }

    /// The metrics of the database.
    pub(crate) fn database(&self) -> DatabaseLatency {
        let of = |operation| {
            let labels = Operation { operation };
            self.database_seconds.get_or_create(&labels).clone()
        };
        DatabaseLatency {
            read: of("read"),
            transaction: of("transaction"),
        }
    }

    /// All metrics in the text format of Prometheus.
    pub(crate) fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

fn add_histograms<L>(registry: &mut Registry, name: &str, help: &str) -> Histograms<L>
where
    L: EncodeLabelSet + Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static,
{
    let metric = Histograms::new_with_constructor(histogram);
    registry.register(name, help, metric.clone());
    metric
}

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

fn now() -> f64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}
