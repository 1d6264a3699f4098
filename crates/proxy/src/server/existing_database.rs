//! The database of a proxy that may be running.

use super::StartError;
use crate::config::{self, Config};
use crate::store::Store;

/// Opens the database for a command. Does not create one.
pub(super) async fn existing_database(config: &Config) -> Result<Store, StartError> {
    let unusable = |reason| StartError::database(config, reason);
    match &config.store.database {
        config::Database::Memory => return Err(unusable("it is in the memory of the proxy")),
        config::Database::File(path) if !path.exists() => {
            return Err(unusable("the file does not exist"));
        }
        _ => {}
    }
    let store = Store::open(config).await;
    store.map_err(|error| StartError::database(config, error))
}
