//! Settings of the database.

use std::time::Duration;

use clap::Args;

use super::Database;
use super::numbers::days;

/// The database.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Database")]
pub struct Store {
    /// Where attempts and payments are stored: `sqlite:` and a path, `sqlite::memory:`, or
    /// `postgres://user:password@host/database`
    #[arg(
        long,
        id = "database_url",
        value_name = "URL",
        default_value = "sqlite:tender.db",
        hide_env_values = true
    )]
    pub database: Database,

    /// How long an order is remembered after the last update of its attempt, at least 30 days. Within
    /// this time an order that is signed again does not get a second payment
    #[arg(long, id = "order_memory_days", value_name = "DAYS", default_value = "365", value_parser = days)]
    pub order_memory: Duration,
}
