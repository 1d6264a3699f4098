//! Tests of the program: settings, log, shutdown.

#![cfg(test)]

mod audit;
mod bad_settings;
mod current;
mod docs;
mod done;
mod files;
mod health;
mod layers;
mod log;
mod notifications;
mod order;
mod payments;
mod reference;
mod reload;
mod restore;
mod secrets;
mod settings;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../http/shop.rs"]
mod shop;
mod start;
mod statuses;
mod support;
mod tls;
#[path = "../nginx/tls.rs"]
mod tls_server;
mod warnings;
