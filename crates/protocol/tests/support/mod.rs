//! Records in JSON with a few fields changed, for tables of answers.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// `record` with the fields of `changes`, both JSON objects, in place of its own.
pub(crate) fn changed(record: &str, changes: &str) -> String {
    let mut fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(record).unwrap();
    let changes: BTreeMap<String, Box<RawValue>> = serde_json::from_str(changes).unwrap();
    fields.extend(changes);
    serde_json::to_string(&fields).unwrap()
}

/// `record` with `field` left empty in each way that JSON has for it: absent, null or a blank text.
pub(crate) fn emptied(record: &str, field: &str) -> [String; 4] {
    let mut fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(record).unwrap();
    fields.remove(field);
    let absent = serde_json::to_string(&fields).unwrap();
    let with = |empty| changed(record, &format!("{{{field:?}: {empty}}}"));
    [absent, with("null"), with(r#""""#), with(r#"" \t""#)]
}
