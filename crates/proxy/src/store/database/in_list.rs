//! SQL statements with a list of values (`IN (...)`).

use super::Value;

/// Number of values in a list: one page of the service's list.
pub(crate) const LIST_LEN: usize = tender_protocol::PAGE_SIZE;

/// Inserts an `IN` list with the placeholders `$1` to `$20` between two parts of a statement.
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

/// Fills the list up to its length with empty texts, which match no row.
pub(crate) fn padded(names: &[impl AsRef<str>]) -> Vec<Value<'_>> {
    let names = names.iter().map(|name| name.as_ref().into());
    let padding = std::iter::repeat(Value::Text(""));
    names.chain(padding).take(LIST_LEN).collect()
}
