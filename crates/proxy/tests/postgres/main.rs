//! The HTTP tests that depend on the database, with PostgreSQL.

#[cfg(test)]
#[path = "../http/all_events.rs"]
mod all_events;
#[cfg(test)]
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/answer.rs"]
mod answer;
#[cfg(test)]
#[path = "../http/attempts.rs"]
mod attempts;
#[cfg(test)]
#[path = "../http/cancel.rs"]
mod cancel;
#[cfg(test)]
#[path = "../http/contract.rs"]
mod contract;
#[cfg(test)]
#[path = "../http/contradictions.rs"]
mod contradictions;
#[cfg(test)]
#[path = "../http/followed.rs"]
mod followed;
#[cfg(test)]
#[path = "../http/instances.rs"]
mod instances;
#[cfg(test)]
#[path = "../http/ledger.rs"]
mod ledger;
#[cfg(test)]
#[path = "../http/listener.rs"]
mod listener;
#[cfg(test)]
#[path = "../http/lost_responses.rs"]
mod lost_responses;
#[cfg(test)]
#[path = "../http/notifications.rs"]
mod notifications;
#[cfg(test)]
#[path = "../http/one_payment.rs"]
mod one_payment;
#[cfg(test)]
#[path = "../http/recognition.rs"]
mod recognition;
#[cfg(test)]
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/recorder.rs"]
mod recorder;
#[cfg(test)]
#[path = "../http/search.rs"]
mod search;
#[cfg(test)]
#[path = "../http/shop.rs"]
mod shop;
#[cfg(test)]
#[path = "../http/states.rs"]
mod states;
#[cfg(test)]
#[path = "../http/stopping.rs"]
mod stopping;
#[cfg(test)]
#[path = "../http/streams.rs"]
mod streams;
#[cfg(test)]
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/support.rs"]
mod support;
#[cfg(test)]
#[path = "../http/test_mode.rs"]
mod test_mode;
#[cfg(test)]
mod tls;
#[cfg(test)]
#[path = "../http/tracking.rs"]
mod tracking;
#[cfg(test)]
#[path = "../http/webhook.rs"]
mod webhook;

/// The database of a test.
#[cfg(test)]
fn database() -> tender_proxy::config::Database {
    let server = tender_postgres::Server::shared();
    server.new_database().unwrap().parse().unwrap()
}

/// A database that survives an instance.
#[cfg(test)]
fn persistent_database() -> (tender_proxy::config::Database, Option<tempfile::TempDir>) {
    (database(), None)
}
