//! The statuses that the database contains, for the operator who maps them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tender_ledger::{Meaning, status};
use tender_protocol::Record;

use super::{StartError, existing_database};
use crate::config::Config;
use crate::statuses::Statuses;
use crate::store::{Store, database};

/// The payments with one status.
struct Seen {
    payments: u64,
    /// The transactionId of one of them.
    example: String,
    meaning: Meaning,
}

/// Lists each status of the stored payments with their number, an example and what it means, as a
/// table.
///
/// # Errors
/// The database can't be opened or read.
pub async fn seen_statuses(config: &Config) -> Result<String, StartError> {
    let store = existing_database(config).await?;
    let seen = read(&store, &Statuses::new(config)).await;
    Ok(table(
        &seen.map_err(|error| StartError::database(config, error))?,
    ))
}

async fn read(store: &Store, statuses: &Statuses) -> database::Result<BTreeMap<[String; 2], Seen>> {
    let mut seen = BTreeMap::<_, Seen>::new();
    let mut last = String::new();
    loop {
        let batch = store.payments_after(&last).await?;
        let Some(newest) = batch.last() else {
            return Ok(seen);
        };
        last.clone_from(&newest.transaction_id);
        for payment in batch {
            let Ok(record) = Record::parse(&payment.change.record, "a payment record") else {
                continue;
            };
            let found = seen.entry(status(&record)).or_insert_with(|| Seen {
                payments: 0,
                example: payment.transaction_id,
                meaning: statuses.meaning(&record),
            });
            found.payments += 1;
        }
    }
}

fn word(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Created => "new",
        Meaning::Pending => "pending",
        Meaning::Underpaid => "underpaid",
        Meaning::Paid => "paid",
        Meaning::Closed => "closed",
        Meaning::NotMapped => "not mapped",
    }
}

/// The texts are the service's, so unprintable characters are escaped.
fn table(seen: &BTreeMap<[String; 2], Seen>) -> String {
    let mut table = "statusId\tstatusText\tpayments\tmeaning\texample\n".to_owned();
    for ([id, name], seen) in seen {
        let [id, name, example] = [id, name, &seen.example].map(|text| text.escape_debug());
        // Writing to a string can't fail.
        let _ = writeln!(
            table,
            "{id}\t{name}\t{}\t{}\t{example}",
            seen.payments,
            word(seen.meaning)
        );
    }
    table
}
