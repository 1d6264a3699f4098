//! Where the ledger is kept.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

use crate::secret::Secret;

/// The database of the ledger.
#[derive(Clone)]
pub enum Database {
    /// SQLite in memory (`sqlite::memory:`): forgotten when the process ends.
    Memory,
    /// SQLite in a file (`sqlite:` and a path), which is made where it is missing.
    File(PathBuf),
    /// PostgreSQL (`postgres://`), for several instances. The address may hold a password.
    Postgres(Secret),
}

impl Database {
    /// The program's own choice, below its working directory.
    pub(super) fn default_file() -> Self {
        Self::File(PathBuf::from("tender.db"))
    }

    /// The address as sqlx reads it.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Memory => "sqlite::memory:".to_owned(),
            Self::File(path) => format!("sqlite:{}?mode=rwc", escaped(path)),
            Self::Postgres(url) => url.as_str().to_owned(),
        }
    }
}

/// The characters that end a path in an address.
fn escaped(path: &Path) -> String {
    let path = path.to_string_lossy();
    path.replace('%', "%25")
        .replace('?', "%3F")
        .replace('#', "%23")
}

/// Reads `sqlite::memory:`, `sqlite:PATH`, `sqlite://PATH`, `postgres://...` and `postgresql://...`.
impl FromStr for Database {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let Some(path) = text.strip_prefix("sqlite:") else {
            let address = text.starts_with("postgres://") || text.starts_with("postgresql://");
            return match text.parse::<PgConnectOptions>() {
                Ok(_) if address => Ok(Self::Postgres(Secret::from(text))),
                _ => Err(()),
            };
        };
        match path.strip_prefix("//").unwrap_or(path) {
            ":memory:" => Ok(Self::Memory),
            path if path.is_empty() || path.ends_with('/') || path.contains('?') => Err(()),
            path => Ok(Self::File(PathBuf::from(path))),
        }
    }
}

/// Without the password.
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
    fn an_address_names_one_of_two_databases() {
        let url = |text: &str| text.parse::<Database>().map(|database| database.url());
        for (text, read) in [
            ("sqlite::memory:", "sqlite::memory:"),
            ("sqlite:tender.db", "sqlite:tender.db?mode=rwc"),
            ("sqlite:///var/tender.db", "sqlite:/var/tender.db?mode=rwc"),
            ("sqlite:/a#b%20c.db", "sqlite:/a%23b%2520c.db?mode=rwc"),
            ("postgres://me:pw@db/tender", "postgres://me:pw@db/tender"),
            (
                "postgresql://db/tender?sslmode=verify-full",
                "postgresql://db/tender?sslmode=verify-full",
            ),
        ] {
            assert_eq!(url(text).as_deref(), Ok(read));
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
            assert_eq!(url(text), Err(()), "{text}");
        }
    }

    #[test]
    fn a_password_is_not_shown() {
        let database: Database = "postgres://me:hunter2@db/tender".parse().unwrap();
        assert_eq!(format!("{database:?}"), "PostgreSQL");
    }
}
