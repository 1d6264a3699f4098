//! Tests of the proxy over HTTP, between a page and the sandbox.

#![cfg(test)]

mod all_events;
mod answer;
mod assets;
mod attempts;
mod bodies;
#[path = "../nginx/caddy.rs"]
mod caddy_server;
mod cancel;
mod contract;
mod contradictions;
mod create;
mod credentials;
#[path = "../program/current.rs"]
mod current;
mod database;
mod database_tls;
mod deliveries;
mod find;
mod first_answer;
mod first_paint;
mod followed;
mod hosted;
mod hostile;
mod instances;
mod languages;
mod ledger;
mod limits;
mod list;
mod list_pages;
mod listener;
mod log;
mod lost_leases;
mod lost_responses;
mod metrics;
mod money_seen;
mod never_cancelled;
mod nginx;
#[path = "../nginx/server.rs"]
mod nginx_server;
mod notifications;
mod one_payment;
mod order_payments;
mod orders;
mod origins;
mod pass_through;
mod payment_links;
mod prelude;
mod quotes;
mod recorded;
mod recorder;
mod remembered;
mod requests;
mod resilience;
mod schemathesis;
mod search;
mod sent_marks;
mod shop;
mod shop_page;
mod slow_clients;
mod socket;
mod states;
mod stopping;
mod streams;
mod support;
mod tape;
mod test_mode;
mod tokens;
mod tracking;
mod upgrade;
mod versions;
mod webhook;
