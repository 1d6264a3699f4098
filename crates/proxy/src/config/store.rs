//! Settings of the database.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use reqwest::Url;
use sqlx::postgres::PgConnectOptions;

use super::numbers::days;
use crate::clock::DAY;
use crate::config::Secret;

/// How long a payment is stored: as long as a receipt allows a buyer to ask for it. Its attempt is kept as long, so that the
/// payment is never found or cancelled without it.
pub(crate) const RETENTION: Duration = DAY.saturating_mul(30);

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

impl Store {
    /// How long an order is remembered after its data of the buyer was erased.
    pub(crate) fn memory(&self) -> Duration {
        // The merchant's list counts the attempts of payments that are still stored.
        self.order_memory.max(RETENTION)
    }
}

/// Where attempts and payments are stored.
#[derive(Clone)]
pub enum Database {
    /// SQLite in memory (`sqlite::memory:`); its data is lost when the process ends.
    Memory,
    /// SQLite in a file (`sqlite:` and a path), which is created if it does not exist.
    File(PathBuf),
    /// PostgreSQL (`postgres://`), for several instances. The address may contain a password.
    Postgres(Secret),
}

/// Parses `sqlite::memory:`, `sqlite:PATH`, `sqlite://PATH`, `postgres://...` and
/// `postgresql://...`.
impl FromStr for Database {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str =
            "write sqlite:PATH, sqlite::memory: or postgres://USER@HOST/DATABASE";
        let Some(path) = text.strip_prefix("sqlite:") else {
            if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
                return Err(EXPECTED);
            }
            let Ok(address) = text.parse::<Url>() else {
                return Err(
                    "the address can't be read; percent-encode special characters of the password, or make one without \
                     any by `openssl rand -hex 24`",
                );
            };
            return match text.parse::<PgConnectOptions>() {
                Ok(_) => Ok(Self::Postgres(Secret::from(text))),
                Err(_) if address.query_pairs().any(|(name, _)| name == "sslmode") => Err(
                    "a parameter of the address can't be read; the modes are sslmode=disable, allow, prefer, require, \
                     verify-ca and verify-full",
                ),
                Err(_) => Err(EXPECTED),
            };
        };
        match path.strip_prefix("//").unwrap_or(path) {
            ":memory:" => Ok(Self::Memory),
            path if path.is_empty() || path.ends_with('/') || path.contains('?') => Err(EXPECTED),
            path => Ok(Self::File(PathBuf::from(path))),
        }
    }
}

/// Does not show the password.
impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => formatter.write_str("SQLite in memory"),
            Self::File(path) => write!(formatter, "SQLite in {}", path.display()),
            Self::Postgres(_) => formatter.write_str("PostgreSQL"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_urls_are_parsed() {
        let read = |text: &str| {
            text.parse().map(|database| match database {
                Database::Memory => "memory".to_owned(),
                Database::File(path) => format!("file {}", path.display()),
                Database::Postgres(url) => url.as_str().to_owned(),
            })
        };
        for (text, database) in [
            ("sqlite::memory:", "memory"),
            ("sqlite:tender.db", "file tender.db"),
            ("sqlite:///var/tender.db", "file /var/tender.db"),
            ("sqlite:/a#b%20c.db", "file /a#b%20c.db"),
            ("postgres://me:pw@db/tender", "postgres://me:pw@db/tender"),
            (
                "postgresql://db/tender?sslmode=verify-full",
                "postgresql://db/tender?sslmode=verify-full",
            ),
        ] {
            assert_eq!(read(text).as_deref(), Ok(database));
        }
        for text in [
            "",
            "tender.db",
            "sqlite:",
            "sqlite:dir/",
            "sqlite:a.db?mode=ro",
            "mysql://db/tender",
            "postgres:tender",
            "postgres://db:port/tender",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        for (text, told) in [
            ("postgres://me:a/b@db/tender", "percent-encode"),
            ("postgres://db:port/tender", "percent-encode"),
            ("postgres://db/tender?sslmode=verify_full", "verify-full"),
        ] {
            let error = text.parse::<Database>().unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
