//! The merchant proxy, which keeps credentials and prices out of the page.
//!
//! Pages call the proxy with the payment service's own interface. The proxy adds what the service
//! lacks: a price that the page can't change, one payment per attempt, and error messages without
//! internal details.
//!
//! The modules are layers. A layer uses only the layers below it, and modules of one layer use each other.
//!
//! | layer | contents |
//! |---|---|
//! | `cli` | the command line and the log of the program |
//! | `server` | [`start`] and [`Running`]: starting and stopping |
//! | `http` | one file per route; bodies, problems, credentials, limits, headers, the widget's files |
//! | `executor` | carries out what the rules of the ledger decide: one payment per attempt |
//! | `checkout` | what a request asks for: purchases, receipts, payment links |
//! | `deliveries` | sends notifications of changes to the shop's backend |
//! | `tracking` | polls the service's list and sends event streams of its changes |
//! | `error` | why a request fails |
//! | `order` | signed orders, and why one is refused |
//! | `tokens`, `rendering` | the cached token listing; the widget's form as HTML |
//! | `shared` | what the layers above share: settings, store, service, statuses, metrics, tasks that end when the proxy stops |
//! | `statuses`, `seen_statuses` | what the status of a payment means; the statuses of the stored payments |
//! | `service` | the HTTP client of the payment service |
//! | `store` | attempts, payments and events in SQLite or PostgreSQL |
//! | `metrics`, `encoding`, `rate_limit`, `recent` | metrics for Prometheus; compression and content negotiation; limits per minute; notes that count for a limited time |
//! | `transport` | what sends requests, which a simulation replaces |
//! | [`config`] | [`Config`], read from flags, environment variables and a file |
//! | `clock`, `random` | clocks and random numbers, which a simulation replaces |

mod checkout;
mod cli;
mod clock;
pub mod config;
mod deliveries;
mod encoding;
mod error;
mod executor;
#[cfg(test)]
#[path = "../tests/fuzz/mod.rs"]
mod fuzz;
mod http;
mod metrics;
mod order;
mod random;
mod rate_limit;
mod recent;
mod rendering;
mod seen_statuses;
mod server;
mod service;
mod shared;
#[cfg(test)]
mod simulation;
mod statuses;
mod store;
mod tokens;
mod tracking;
mod transport;

pub use cli::main;
pub use config::{Config, OrderKey, Secret};
pub use http::routes::openapi_document;
pub use reqwest::Url;
pub use server::{Running, StartError, start};
