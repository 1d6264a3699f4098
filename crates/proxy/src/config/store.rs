//! Settings of the database.

use clap::Args;

use super::Database;

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
}
