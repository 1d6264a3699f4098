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

pub use self::address::free_address;
pub use self::postgres::Postgres;
pub use self::server::Server;
