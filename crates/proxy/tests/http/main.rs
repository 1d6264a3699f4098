//! The proxy over real HTTP, between a page and the sandbox of the payment service.

#[cfg(test)]
mod all_events;
#[cfg(test)]
mod answers;
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
mod create;
#[cfg(test)]
mod doors;
#[cfg(test)]
mod following;
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
mod listener;
#[cfg(test)]
mod lost_answers;
#[cfg(test)]
mod metrics;
#[cfg(test)]
mod nginx;
#[cfg(test)]
#[path = "../nginx/server.rs"]
mod nginx_server;
#[cfg(test)]
mod one_payment;
#[cfg(test)]
mod orders;
#[cfg(test)]
mod recorder;
#[cfg(test)]
mod spared;
#[cfg(test)]
mod stopping;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tokens;

/// The ledger of a test.
#[cfg(test)]
fn database() -> tender_proxy::config::Database {
    tender_proxy::config::Database::Memory
}

/// A ledger that outlives an instance, and what holds its file.
#[cfg(test)]
fn lasting_database() -> (tender_proxy::config::Database, Option<tempfile::TempDir>) {
    let directory = tempfile::TempDir::new().unwrap();
    let file = directory.path().join("ledger.db");
    (tender_proxy::config::Database::File(file), Some(directory))
}
