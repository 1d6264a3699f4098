//! The tests over HTTP for which the ledger matters, with the ledger in PostgreSQL.

#[cfg(test)]
#[path = "../http/all_events.rs"]
mod all_events;
#[cfg(test)]
#[path = "../http/attempts.rs"]
mod attempts;
#[cfg(test)]
#[path = "../http/cancel.rs"]
mod cancel;
#[cfg(test)]
#[path = "../http/following.rs"]
mod following;
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
#[path = "../http/lost_answers.rs"]
mod lost_answers;
#[cfg(test)]
#[path = "../http/one_payment.rs"]
mod one_payment;
#[cfg(test)]
#[allow(dead_code, reason = "some of it serves the tests that have no ledger")]
#[path = "../http/recorder.rs"]
mod recorder;
#[cfg(test)]
#[path = "../http/stopping.rs"]
mod stopping;
#[cfg(test)]
#[allow(dead_code, reason = "some of it serves the tests that have no ledger")]
#[path = "../http/support.rs"]
mod support;
#[cfg(test)]
mod tls;

/// The ledger of a test.
#[cfg(test)]
fn database() -> tender_proxy::config::Database {
    let server = tender_postgres::Server::shared();
    server.new_database().unwrap().parse().unwrap()
}

/// A ledger that outlives an instance.
#[cfg(test)]
fn lasting_database() -> (tender_proxy::config::Database, Option<tempfile::TempDir>) {
    (database(), None)
}
