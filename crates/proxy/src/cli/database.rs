//! The commands that read and change the database: `statuses`, `ledger settle`, which removes a late duplicate, and
//! `database restored`, for after a restore from a backup.

use std::fmt::Write as _;
use std::sync::Arc;
use std::{fmt, fs};

use tender_ledger::Stage;
use tender_protocol::client::failure::causes;

use crate::clock::rfc3339;
use crate::config::{Config, Database};
use crate::error::Error;
use crate::executor::{Executor, Restored};
use crate::seen_statuses::SeenStatuses;
use crate::server::{StartError, beside, check_used, claim_database};
use crate::shared::Shared;
use crate::statuses::mapping;
use crate::store::Store;
use crate::store::attempts::StoredAttempt;
use crate::transport::Transports;

/// Opens the database for a command, and closes it afterwards. Does not create one.
async fn with_database<T, E: From<StartError>>(
    config: &Config,
    command: impl AsyncFnOnce(Store) -> Result<T, E>,
) -> Result<T, E> {
    let unusable = |reason: &dyn fmt::Display| StartError::database(config, reason);
    match &config.store.database {
        Database::Memory => {
            return Err(unusable(&"it is in the memory of the proxy").into());
        }
        Database::File(path) if !path.exists() => {
            return Err(unusable(&"the file does not exist").into());
        }
        _ => {}
    }
    let store = Store::open(&Arc::new(config.clone())).await;
    let store = store.map_err(|error| unusable(&error))?;
    let database = store.database.clone();
    let done = command(store).await;
    let closed = database.close().await;
    let done = done?;
    closed.map_err(|error| unusable(&error))?;
    Ok(done)
}

/// Opens the database for a command that does what a request of the proxy may do.
async fn with_executor(
    config: &Config,
    command: impl AsyncFnOnce(&Store, Executor) -> Result<String, Box<dyn std::error::Error>>,
) -> Result<String, Box<dyn std::error::Error>> {
    let transports = Transports::new(config)?;
    with_database(config, async |store| {
        let shared = Arc::new(Shared::new(store, transports.service));
        command(&shared.store, Executor::start(&shared, Vec::new())).await
    })
    .await
}

/// Reads in the service's list what a database lacks that was restored from a backup, and describes it. The proxy is stopped.
pub(super) async fn restored(config: &Config) -> Result<String, Box<dyn std::error::Error>> {
    let _claim = claim_database(config)?;
    refuse_log(config)?;
    with_executor(config, async |store, executor| {
        check_used(store, config).await?;
        let restored = executor.restored().await.map_err(|error| match error {
            // The text of an error is for buyers.
            Error::Service(cause) => cause.to_string(),
            other => causes(&other),
        })?;
        let Restored {
            pages,
            payments,
            without_order,
        } = restored;
        let mut text = format!(
            "Pages of the payment service's list that were read: {pages}\nPayments that the backup lacks: {payments}\n"
        );
        for id in without_order {
            let id = id.escape_debug();
            writeln!(text, "Without an invoice number, so find its order by hand: {id}")?;
        }
        Ok(text)
    })
    .await
}

/// A write-ahead log that is left from the database before the restore would be taken for the log of the restored one.
fn refuse_log(config: &Config) -> Result<(), String> {
    let Database::File(path) = &config.store.database else {
        return Ok(());
    };
    let log = beside(path, "-wal");
    match fs::metadata(&log) {
        Ok(found) if found.len() > 0 => Err(format!(
            "there is {}. If it is left from the database before the restore, move it away and copy the backup again: SQLite \
             would mix the two. If it belongs to the restored database, or if this command was interrupted, run \
             `sqlite3 {} 'PRAGMA wal_checkpoint(TRUNCATE)'` first",
            log.display(),
            path.display()
        )),
        _ => Ok(()),
    }
}

pub(super) async fn read_statuses(config: &Config) -> Result<SeenStatuses, StartError> {
    with_database(config, async |store| {
        let seen = SeenStatuses::read(&store, &mapping(config)).await;
        seen.map_err(|error| StartError::database(config, error))
    })
    .await
}

/// Removes a late duplicate from the ledger, whatever its status, and describes it in one line. Nothing is sent to the
/// payment service. The proxy may be running.
pub(super) async fn settle(
    config: &Config,
    id: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    with_executor(config, async |store, executor| {
        let late = store.attempt_of_payment(id).await;
        let late = late.map_err(|error| StartError::database(config, error))?;
        let is_due = |late: &StoredAttempt| {
            late.duplicate_of.is_some() && !matches!(late.stage, Stage::Ended(_))
        };
        let late = late.filter(is_due).ok_or(
            "there is no late duplicate with this transactionId; `tender-proxy payments list` prints those that are \
             unresolved",
        )?;
        executor.release(id.to_owned()).await?;
        Ok(format!("Settled: {}.\n", describe(&late, id)))
    })
    .await
}

fn describe(late: &StoredAttempt, transaction_id: &str) -> String {
    let transaction_id = transaction_id.escape_debug();
    let since = rfc3339(late.begun_at);
    let Some(request) = &late.request else {
        return format!("transactionId {transaction_id}, created late at {since}");
    };
    // Without a signed order, the buyer's page chooses the texts, so they are escaped.
    let invoice = request.invoice_number.escape_debug();
    let (token, payment_token) = (&request.token, &request.payment_token);
    let quantity = &request.quantity;
    format!(
        "invoice {invoice}, {quantity} {token} paid in {payment_token}, transactionId \
         {transaction_id}, created late at {since}"
    )
}
