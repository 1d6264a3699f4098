//! Why JSON is not the record that was expected.

/// Why JSON is not the record that was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Not JSON, or JSON of another shape.
    #[error("this is not {expected}: {reason}")]
    NotJson {
        /// What was expected, as a noun phrase.
        expected: &'static str,
        /// The error of `serde_json`.
        reason: String,
    },
    /// A required field is absent, null or blank.
    #[error("the {record} record has no `{field}`")]
    Missing {
        /// The kind of record: `payment`, `token`, `network`, `order` or `ledger`.
        record: &'static str,
        /// The name of the field on the wire.
        field: &'static str,
    },
    /// The value of a field does not have its documented type.
    #[error("the {record} record's `{field}` is not as documented: {reason}")]
    Invalid {
        /// The kind of record: `payment`, `token`, `network`, `order` or `ledger`.
        record: &'static str,
        /// The name of the field on the wire.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
}
