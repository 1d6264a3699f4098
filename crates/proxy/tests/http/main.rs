//! Tests of the proxy over HTTP, between a page and the sandbox.

#[cfg(test)]
mod all_events;
#[cfg(test)]
mod answer;
#[cfg(test)]
mod assets;
#[cfg(test)]
mod attempts;
#[cfg(test)]
#[path = "../nginx/caddy.rs"]
mod caddy_server;
#[cfg(test)]
mod cancel;
#[cfg(test)]
mod cancel_doubts;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod contradictions;
#[cfg(test)]
mod create;
#[cfg(test)]
mod find;
#[cfg(test)]
mod first_paint;
#[cfg(test)]
mod followed;
#[cfg(test)]
mod freed_orders;
#[cfg(test)]
mod hosted;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod instances;
#[cfg(test)]
mod languages;
#[cfg(test)]
mod ledger;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod list;
#[cfg(test)]
mod list_pages;
#[cfg(test)]
mod listener;
#[cfg(test)]
mod lost_leases;
#[cfg(test)]
mod lost_responses;
#[cfg(test)]
mod metrics;
#[cfg(test)]
mod money_seen;
#[cfg(test)]
mod never_cancelled;
#[cfg(test)]
mod nginx;
#[cfg(test)]
#[path = "../nginx/server.rs"]
mod nginx_server;
#[cfg(test)]
mod notifications;
#[cfg(test)]
mod one_payment;
#[cfg(test)]
mod order_payments;
#[cfg(test)]
mod orders;
#[cfg(test)]
mod pass_through;
#[cfg(test)]
mod payment_links;
#[cfg(test)]
mod recognition;
#[cfg(test)]
mod recorder;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod resilience;
#[cfg(test)]
mod schemathesis;
#[cfg(test)]
mod search;
#[cfg(test)]
mod sent_marks;
#[cfg(test)]
mod shop;
#[cfg(test)]
mod slow_clients;
#[cfg(test)]
mod socket;
#[cfg(test)]
mod states;
#[cfg(test)]
mod stopping;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod support;
#[cfg(test)]
mod test_mode;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod tracking;
#[cfg(test)]
mod upgrade;
#[cfg(test)]
mod versions;
#[cfg(test)]
mod webhook;

/// The database of a test.
#[cfg(test)]
fn database() -> tender_proxy::config::Database {
    tender_proxy::config::Database::Memory
}

/// A database that survives an instance, and the directory of its file.
#[cfg(test)]
fn persistent_database() -> (tender_proxy::config::Database, Option<tempfile::TempDir>) {
    let directory = tempfile::TempDir::new().unwrap();
    let file = directory.path().join("tender.db");
    (tender_proxy::config::Database::File(file), Some(directory))
}
