//! The merchant proxy: keeps credentials and prices out of the page.
//!
//! A page speaks the payment service's own interface to the proxy, which adds what the service
//! lacks: a price that the page can't set, one payment per attempt, and errors that tell nothing
//! about what is behind.
//!
//! | module | what it holds |
//! |---|---|
//! | [`config`] | [`Config`], and how it is read from flags, environment and file |
//! | `server` | [`start`], [`Running`]: the life of a proxy |
//! | `routes` | one file per route; what they share is in `app` |
//! | `error` | every way to say no, as problem details |
//! | `order`, `purchase` | [`OrderKey`]; from an order and a page's choice to what the service is asked |
//! | `attempts` | one payment per attempt: identity, create, cancel, look-up |
//! | `ledger` | what is known of every attempt, and who may go on with it |
//! | `following` | the latest record of a payment, and a stream of its changes |
//! | `database` | SQLite or PostgreSQL, where both of these are kept |
//! | [`payments`] | the merchant's payments on the command line |
//! | `receipt`, `access` | who may do something with a payment |
//! | `tokens` | the token listing, fetched once for all |
//! | `service` | the client of the payment service |
//! | `assets` | the built widget |
//! | `encoding` | what is sent compressed, and to whom |
//! | `json`, `timestamp` | bodies as text, times as text |
//! | `connections`, `request_head` | what a stranger's connection and request may be |
//! | `open_files` | how many the system allows |
//! | `client`, `limits` | who asks, and how often |
//! | `metrics` | what is counted |
//! | `request_log`, `security` | what every request and answer gets |

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
