//! Metrics for Prometheus.
//!
//! All labels have few values: routes instead of paths, codes instead of messages. No label
//! contains an address, an invoice or an amount. The table in docs/api.md is made from the
//! declarations of [`Metrics`].

#[cfg(target_os = "linux")]
mod process;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use tender_protocol::ProblemCode::{
    self, Overloaded, PaymentContradictory, PaymentUnidentified, ServiceRefused,
};

use crate::clock::{self, Millis};

/// Upper bounds in seconds, from cached responses and database jobs to the service's timeout.
const BUCKETS: [f64; 10] = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];

/// The name and the value of a label.
type Label<V = &'static str> = (&'static str, V);

/// Times in seconds, by a label.
type Histograms<V = &'static str> = Family<[Label<V>; 1], Histogram, fn() -> Histogram>;

/// The times of jobs in the database. The default is in no registry.
pub(crate) type DatabaseLatency = Histograms;

/// A time, in seconds since 1970; 0 means never.
type Timestamp = Gauge<f64, AtomicU64>;

/// The numbers of events that are not delivered, by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UnsentEvents {
    pub(crate) waiting: i64,
    pub(crate) set_aside: i64,
    pub(crate) given_up: i64,
    /// When the oldest one that is to be sent was written.
    pub(crate) oldest: Option<Millis>,
}

/// Declares the metrics. The name of a metric is that of its field, and its help is the field's documentation.
macro_rules! metrics {
    ($($(#[doc = $help:literal])+ $visibility:vis $metric:ident: $type:ty $(= $new:expr)?,)+) => {
        /// Clones share the same counters.
        #[derive(Clone)]
        pub(crate) struct Metrics {
            registry: Arc<Registry>,
            $($(#[doc = $help])+ $visibility $metric: $type,)+
        }

        impl Metrics {
            fn register(mut registry: Registry) -> Self {
                let to = registry.sub_registry_with_prefix("tender");
                $(
                    let $metric: $type = metrics!(@new $($new)?);
                    to.register(stringify!($metric), concat!($($help),+).trim(), $metric.clone());
                )+
                Self { registry: Arc::new(registry), $($metric,)+ }
            }
        }
    };
    (@new) => { Default::default() };
    (@new $new:expr) => { $new };
}

metrics! {
    /// Requests, by route and status
    http_requests: Family<[Label<String>; 2], Counter>,
    /// Time from a request to its response, by route
    http_request_duration_seconds: Histograms<String> = histograms(),
    /// Open connections
    pub(crate) open_connections: Gauge,
    /// Calls to the payment service, by endpoint and outcome: ok or a problem code
    upstream_requests: Family<[Label; 2], Counter>,
    /// Time from a call to the payment service to its response, by endpoint
    upstream_request_duration_seconds: Histograms = histograms(),
    /// When this instance last fetched the token listing; 0 if never
    tokens_fetched_timestamp_seconds: Timestamp,
    /// Responses with an old token listing, because a newer one could not be fetched
    pub(crate) stale_token_listings: Counter,
    /// Payments that were created too late and are not settled, of all instances
    pub(crate) late_duplicates: Gauge,
    /// Create requests, by outcome: created, repeated (from the database), found (in the service's
    /// list) or a problem code
    attempts: Family<[Label; 1], Counter>,
    /// Orders with an unknown outcome, by reason as in the ledger route
    unresolved_orders: Family<[Label; 1], Gauge>,
    /// Polls of the service's list by this instance, by outcome: ok or a problem code
    poll_cycles: Family<[Label; 1], Counter>,
    /// When this instance last completed a poll of the service's list; 0 if never
    list_read_timestamp_seconds: Timestamp,
    /// Pages of the service's list that contradict `first_page` or `page_parameter`, by reason:
    /// repeated (the page before it was the same), empty (although there are payments), missing (the newest
    /// payment is not on the first page) or earlier (the page before the first one has payments)
    misnumbered_pages: Family<[Label; 1], Counter>,
    /// Different statuses of the payment service that no setting maps, which this instance has seen since it started
    pub(crate) unmapped_statuses: Counter,
    /// Payments whose amount to pay has become higher in the service's list than the one that the buyer sees
    pub(crate) risen_quotes: Counter,
    /// Notifications of the payment service, by outcome: ok, refused (a wrong secret) or a problem
    /// code
    webhooks: Family<[Label; 1], Counter>,
    /// Time of a job in the database, by operation: read or transaction
    pub(crate) database_duration_seconds: DatabaseLatency = histograms(),
    /// Open event streams
    pub(crate) open_streams: Gauge,
    /// Payments that an event stream of this instance watches
    pub(crate) watched_payments: Gauge,
    /// Notifications sent to the shop's backend, by outcome: delivered, failed (sent again later) or
    /// given-up
    notifications: Family<[Label; 1], Counter>,
    /// Notifications that are not delivered, by state: waiting, set-aside (sent again, but later ones don't wait for it) or
    /// given-up, of all instances
    unsent_notifications: Family<[Label; 1], Gauge>,
    /// When the oldest notification that waits or is set aside was written, in seconds since 1970; 0 if there is none
    oldest_waiting_notification_timestamp_seconds: Timestamp,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::default();
        let start = Timestamp::default();
        start.set(now());
        let help = "When the proxy started, in seconds since 1970";
        registry.register("process_start_time_seconds", help, start);
        #[cfg(target_os = "linux")]
        registry.register_collector(Box::new(process::Process));
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        let to = registry.sub_registry_with_prefix("tender");
        to.register("build", "Version of the program", build);
        let metrics = Self::register(registry);
        metrics.begin();
        metrics
    }

    /// Counters with these labels begin at 0: Prometheus' `increase` sees no rise of one that begins at 1.
    fn begin(&self) {
        let codes = [Overloaded, PaymentContradictory, PaymentUnidentified];
        for outcome in codes
            .map(ProblemCode::as_str)
            .into_iter()
            .chain(["created", "found"])
        {
            drop(self.attempts.get_or_create(&[("outcome", outcome)]));
        }
        for reason in ["repeated", "empty", "missing", "earlier"] {
            drop(self.misnumbered_pages.get_or_create(&[("reason", reason)]));
        }
        drop(self.webhooks.get_or_create(&[("outcome", "refused")]));
    }

    /// The same for an endpoint of the service.
    pub(crate) fn begin_endpoint(&self, endpoint: &'static str) {
        let labels = [("endpoint", endpoint), ("outcome", ServiceRefused.as_str())];
        drop(self.upstream_requests.get_or_create(&labels));
    }

    pub(crate) fn request(&self, route: &str, status: u16, took: Duration) {
        let route = ("route", route.to_owned());
        // The first refusal of a route comes after other responses, and this counter begins at 0 with them.
        let limited = [route.clone(), ("status", "429".to_owned())];
        drop(self.http_requests.get_or_create(&limited));
        let labels = [route.clone(), ("status", status.to_string())];
        self.http_requests.get_or_create(&labels).inc();
        let seconds = self.http_request_duration_seconds.get_or_create(&[route]);
        seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn upstream(&self, endpoint: &'static str, outcome: &'static str, took: Duration) {
        let endpoint = ("endpoint", endpoint);
        let labels = [endpoint, ("outcome", outcome)];
        self.upstream_requests.get_or_create(&labels).inc();
        let seconds = &self.upstream_request_duration_seconds;
        let seconds = seconds.get_or_create(&[endpoint]);
        seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn tokens_fetched(&self) {
        self.tokens_fetched_timestamp_seconds.set(now());
    }

    pub(crate) fn attempt(&self, outcome: &'static str) {
        self.attempts.get_or_create(&[("outcome", outcome)]).inc();
    }

    pub(crate) fn poll_cycle(&self, outcome: &'static str) {
        self.poll_cycles
            .get_or_create(&[("outcome", outcome)])
            .inc();
        if outcome == "ok" {
            self.list_read_timestamp_seconds.set(now());
        }
    }

    /// Counts a page of the service's list that contradicts the settings. Returns how many there were
    /// before, for the same reason.
    pub(crate) fn misnumbered_page(&self, reason: &'static str) -> u64 {
        let pages = self.misnumbered_pages.get_or_create(&[("reason", reason)]);
        pages.inc()
    }

    pub(crate) fn webhook(&self, outcome: &'static str) {
        self.webhooks.get_or_create(&[("outcome", outcome)]).inc();
    }

    /// Replaces the numbers of orders with an unknown outcome. Each reason appears once in `counts`.
    pub(crate) fn unresolved(&self, counts: impl IntoIterator<Item = (&'static str, i64)>) {
        for (reason, count) in counts {
            let orders = self.unresolved_orders.get_or_create(&[("reason", reason)]);
            orders.set(count);
        }
    }

    pub(crate) fn sent(&self, outcome: &'static str) {
        let notifications = self.notifications.get_or_create(&[("outcome", outcome)]);
        notifications.inc();
    }

    /// Replaces the numbers of notifications that are not delivered.
    pub(crate) fn unsent(&self, events: &UnsentEvents) {
        for (state, count) in [
            ("waiting", events.waiting),
            ("set-aside", events.set_aside),
            ("given-up", events.given_up),
        ] {
            let unsent = self.unsent_notifications.get_or_create(&[("state", state)]);
            unsent.set(count);
        }
        let oldest = Duration::from_millis(events.oldest.unwrap_or_default().unsigned_abs());
        let written = &self.oldest_waiting_notification_timestamp_seconds;
        written.set(oldest.as_secs_f64());
    }

    /// All metrics in the text format of Prometheus.
    pub(crate) fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

pub(crate) fn histograms<V: Clone + Eq + Hash>() -> Histograms<V> {
    Histograms::new_with_constructor(histogram)
}

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

fn now() -> f64 {
    clock::since_1970().as_secs_f64()
}
