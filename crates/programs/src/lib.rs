//! Programs that tests start: servers on free ports, PostgreSQL, and the example shops.
//!
//! Everything here panics if a program can't be started, because the tests can't run without it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "this is for tests"
)]

mod address;
mod postgres;
mod server;
pub mod shops;

use std::io::{Write as _, stderr};

pub use self::address::free_address;
pub use self::postgres::Postgres;
pub use self::server::Server;

/// Says that a test is left out because this is not installed. Written directly, because the test harness captures the output of
/// `println!`.
pub fn left_out(what: &str) {
    let message = format!("LEFT OUT: {what}, which is not here\n");
    stderr().write_all(message.as_bytes()).unwrap();
}
