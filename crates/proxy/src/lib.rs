//! The merchant proxy, which keeps credentials and prices out of the page.
//!
//! Pages call the proxy with the payment service's own interface. The proxy adds what the service
//! lacks: a price that the page can't change, one payment per attempt, and error messages without
//! internal details.
//!
//! | module | contents |
//! |---|---|
//! | [`config`] | [`Config`], read from flags, environment variables and a file |
//! | `server` | [`start`] and [`Running`]: starting and stopping |
//! | `routes` | one file per route; shared state is in `app` |
//! | `error` | all errors and their responses as problem details |
//! | `order`, `purchase` | [`OrderKey`]; from an order and the buyer's token to a request to the service |
//! | `attempts` | one payment per attempt: create, cancel, search, compensate |
//! | `attempt_store` | the state of every attempt, and leases |
//! | `tracking` | the latest record of each payment, and event streams of its changes |
//! | `database` | SQLite or PostgreSQL, which store both of these |
//! | [`payments`] | the command line for the merchant's payments |
//! | `receipt`, `access` | access control |
//! | `tokens` | the cached token listing |
//! | `service` | the HTTP client of the payment service |
//! | `assets` | the files of the widget |
//! | `encoding` | compression and content negotiation |
//! | `json`, `timestamp` | JSON bodies, RFC 3339 times |
//! | `connections`, `request_head` | limits for connections, and checks of request headers |
//! | `open_files` | the system's limit of open files |
//! | `client_ip`, `limits` | client addresses and rate limits |
//! | `metrics` | metrics for Prometheus |
//! | `request_log`, `security` | logging and response headers of every request |

mod access;
mod app;
mod assets;
mod attempt_store;
mod attempts;
mod client_ip;
pub mod config;
mod connections;
mod database;
mod encoding;
mod error;
#[cfg(test)]
mod fuzz;
mod json;
mod limits;
mod metrics;
mod open_files;
mod order;
pub mod payments;
mod purchase;
mod receipt;
mod request_head;
mod request_log;
mod routes;
mod secret;
mod security;
mod server;
mod service;
mod timestamp;
mod tokens;
mod tracking;

pub use config::Config;
pub use open_files::TooFewFiles;
pub use order::OrderKey;
pub use reqwest::Url;
pub use secret::Secret;
pub use server::{Running, StartError, start};
