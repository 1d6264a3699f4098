//! One process per SQLite file: a second one would have leases, limits and a clock of its own.

use std::fs::{File, OpenOptions, TryLockError};

use super::StartError;
use crate::config::{self, Config};

/// Claims the SQLite file of the settings until the result is dropped. The system releases the claim when the process ends,
/// however it ends. Commands such as `ledger settle` need none.
///
/// # Errors
/// Another process has claimed it.
pub fn claim_database(config: &Config) -> Result<Option<File>, StartError> {
    let config::Database::File(path) = &config.store.database else {
        return Ok(None);
    };
    // Two names of a file are one claim.
    let path = path.canonicalize().unwrap_or_else(|_| path.clone());
    let mut name = path.into_os_string();
    // The lock is not on the database itself, where closing the file would release SQLite's own locks.
    name.push("-process");
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    let file = options.open(name);
    let file = file.map_err(|error| StartError::database(config, error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(StartError(format!(
            "{:?} is in use by another tender-proxy; stop that one first, or set `database_url` to PostgreSQL, which \
             several instances can share",
            config.store.database
        ))),
        Err(TryLockError::Error(error)) => Err(StartError::database(config, error)),
    }
}
