//! The HTTP tests that depend on the database, with PostgreSQL.

#![cfg(test)]

#[path = "../http/all_events.rs"]
mod all_events;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/answer.rs"]
mod answer;
#[path = "../http/attempts.rs"]
mod attempts;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/bodies.rs"]
mod bodies;
#[path = "../http/cancel.rs"]
mod cancel;
#[path = "../http/contract.rs"]
mod contract;
#[path = "../http/contradictions.rs"]
mod contradictions;
#[path = "../http/deliveries.rs"]
mod deliveries;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/followed.rs"]
mod followed;
#[path = "../http/instances.rs"]
mod instances;
#[path = "../http/ledger.rs"]
mod ledger;
#[path = "../http/listener.rs"]
mod listener;
#[path = "../http/lost_responses.rs"]
mod lost_responses;
#[path = "../http/notifications.rs"]
mod notifications;
#[path = "../http/one_payment.rs"]
mod one_payment;
#[path = "../http/prelude.rs"]
mod prelude;
#[path = "../http/shop.rs"]
mod shop;
#[path = "../http/states.rs"]
mod states;
#[path = "../http/stopping.rs"]
mod stopping;
#[path = "../http/streams.rs"]
mod streams;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/support.rs"]
mod support;
#[path = "../http/test_mode.rs"]
mod test_mode;
mod tls;
#[path = "../http/tracking.rs"]
mod tracking;
#[path = "../http/webhook.rs"]
mod webhook;

/// The database of a test.
fn database() -> tender_proxy::config::Database {
    let server = tender_programs::Postgres::shared();
    server.new_database().parse().unwrap()
}

/// A database that survives an instance.
fn persistent_database() -> (tender_proxy::config::Database, Option<tempfile::TempDir>) {
    (database(), None)
}
