//! Statements about many rows at once.

use super::Value;

/// How many rows a statement is about: as many as payments are on a page of the service's list.
pub(crate) const LIST_LEN: usize = tender_protocol::PAGE_SIZE;

/// A statement about the rows in whose column one of the values `$1` to `$20` stands.
macro_rules! in_list {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) ",
            $after
        )
    };
}
pub(crate) use in_list;

/// As many as the statement has places for; no row has an empty name.
pub(crate) fn padded(names: &[impl AsRef<str>]) -> Vec<Value<'_>> {
    let names = names.iter().map(|name| name.as_ref().into());
    let padding = std::iter::repeat(Value::Text(""));
    names.chain(padding).take(LIST_LEN).collect()
}
