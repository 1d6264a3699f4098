//! Metrics for Prometheus.
//!
//! All labels have few values: routes instead of paths, codes instead of messages. No label
//! contains an address, an invoice or an amount.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Upper bounds in seconds, from cached responses to the service's timeout.
const BUCKETS: [f64; 10] = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];

type Histograms<L> = Family<L, Histogram, fn() -> Histogram>;

/// Clones share the same counters.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    requests: Family<Request, Counter>,
    request_seconds: Histograms<Route>,
    upstream: Family<Upstream, Counter>,
    upstream_seconds: Histograms<Endpoint>,
    attempts: Family<Outcome, Counter>,
    poll_cycles: Family<Outcome, Counter>,
    circuits: Family<Endpoint, Gauge>,
    /// Responses with a token listing that is older than it should be.
    pub(crate) stale_listings: Counter,
    /// Payments that were created too late and are not settled.
    pub(crate) late_duplicates: Gauge,
    /// Open connections.
    pub(crate) connections: Gauge,
    /// Open event streams.
    pub(crate) streams: Gauge,
    /// Payments that an event stream of this instance watches.
    pub(crate) watched_payments: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Upstream {
    endpoint: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Endpoint {
    endpoint: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let histogram: fn() -> Histogram = || Histogram::new(BUCKETS);
        let requests = Family::default();
        let request_seconds = Histograms::new_with_constructor(histogram);
        let upstream = Family::default();
        let upstream_seconds = Histograms::new_with_constructor(histogram);
        let attempts = Family::default();
        let poll_cycles = Family::default();
        let circuits = Family::<Endpoint, Gauge>::default();
        let stale_listings = Counter::default();
        let late_duplicates = Gauge::default();
        let connections = Gauge::default();
        let streams = Gauge::default();
        let watched_payments = Gauge::default();

        let mut registry = Registry::with_prefix("tender");
        registry.register(
            "http_requests",
            "Requests by route and status",
            requests.clone(),
        );
        registry.register(
            "http_request_duration_seconds",
            "Time from a request to its response, by route",
            request_seconds.clone(),
        );
        registry.register(
            "upstream_requests",
            "Calls to the payment service, by endpoint and outcome: ok or a problem code",
            upstream.clone(),
        );
        registry.register(
            "upstream_request_duration_seconds",
            "Time from a call to the payment service to its response, by endpoint",
            upstream_seconds.clone(),
        );
        registry.register(
            "attempts",
            "Create requests by outcome: created, repeated, found (in the service's list) or a problem code",
            attempts.clone(),
        );
        registry.register(
            "list_rounds",
            "Polls of the service's list by this instance, by outcome: ok or a problem code",
            poll_cycles.clone(),
        );
        registry.register(
            "circuit_open",
            "1 while the circuit of an endpoint is open, else 0",
            circuits.clone(),
        );
        registry.register(
            "stale_token_listings",
            "Responses with an old token listing, because a newer one could not be fetched",
            stale_listings.clone(),
        );
        registry.register(
            "late_duplicates",
            "Payments that were created too late and are not settled, of all instances",
            late_duplicates.clone(),
        );
        registry.register("open_connections", "Open connections", connections.clone());
        registry.register("open_streams", "Open event streams", streams.clone());
        registry.register(
            "watched_payments",
            "Payments that an event stream of this instance watches",
            watched_payments.clone(),
        );
        Self {
            registry: Arc::new(registry),
            requests,
            request_seconds,
            upstream,
            upstream_seconds,
            attempts,
            poll_cycles,
            circuits,
            stale_listings,
            late_duplicates,
            connections,
            streams,
            watched_payments,
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

    /// Counts a create request.
    pub(crate) fn attempt(&self, outcome: &'static str) {
        self.attempts.get_or_create(&Outcome { outcome }).inc();
    }

    /// Counts a poll of the service's list.
    pub(crate) fn poll_cycle(&self, outcome: &'static str) {
        self.poll_cycles.get_or_create(&Outcome { outcome }).inc();
    }

    /// Whether the circuit of an endpoint is open: 1 or 0.
    pub(crate) fn circuit(&self, endpoint: &'static str) -> Gauge {
        self.circuits.get_or_create(&Endpoint { endpoint }).clone()
    }

    /// All metrics in the text format of Prometheus.
    pub(crate) fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
