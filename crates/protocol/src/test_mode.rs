//! Test mode: the field `testMode`, which the proxy adds to the records of tokens and payments while it runs in test mode.
//!
//! No real money moves in test mode. The wallets have no owner, so money that is sent to them is lost. A record without the
//! field belongs to a real payment.

use crate::record::Record;

/// The name of the field: true in test mode, otherwise absent.
pub const FIELD: &str = "testMode";

/// Sets the field in test mode. Otherwise a field of that name is removed, because clients would take it for the proxy's.
/// Returns whether the record has changed.
pub fn mark(record: &mut Record, is_test: bool) -> bool {
    record.set_flag(FIELD, is_test)
}

/// Marks a record in JSON. Anything else than an object stays as it is.
pub fn marked(json: &str, is_test: bool) -> String {
    let Ok(mut record) = Record::parse(json, "a record") else {
        return json.to_owned();
    };
    let written = mark(&mut record, is_test).then(|| serde_json::to_string(&record).ok());
    written.flatten().unwrap_or_else(|| json.to_owned())
}
