//! Token listings of any length.

use serde_json::Value;
use uuid::Uuid;

/// A listing with this many records: the service's own, preceded by others whose codes are not
/// accepted, so that all of it must be parsed. `None` if `listing` is invalid.
pub(super) fn of_length(listing: Value, count: usize) -> Option<Value> {
    let Value::Array(mut records) = listing else {
        return None;
    };
    let pattern = records.last()?.clone();
    records.truncate(count);
    let own = records.len();
    let others = (own..count).map(|number| another(&pattern, number));
    Some(others.chain(records).collect())
}

fn another(pattern: &Value, number: usize) -> Value {
    let mut record = pattern.clone();
    if let Some(fields) = record.as_object_mut() {
        // It looks random, so that it compresses like a random one, and is the same in each run.
        let uuid = Uuid::new_v5(&Uuid::NAMESPACE_OID, &number.to_be_bytes()).to_string();
        for (field, value) in [
            ("token", format!("c{number}")),
            ("symbol", format!("C{number}")),
            ("name", format!("Coin {number}")),
            ("logo", format!("https://logos.example/{uuid}.svg")),
            ("uuid", uuid),
        ] {
            fields.insert(field.to_owned(), value.into());
        }
    }
    record
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    #[test]
    fn it_has_the_requested_length_and_ends_with_the_services_own() {
        let few = json!([{ "token": "btc", "uuid": "1" }, { "token": "eth", "uuid": "2" }]);
        let one = of_length(few.clone(), 1).unwrap();
        assert_eq!(one, json!([{ "token": "btc", "uuid": "1" }]));
        let many = of_length(few.clone(), 2000).unwrap();
        let many = many.as_array().unwrap();
        assert_eq!(many.len(), 2000);
        assert_eq!(many[1998..], few.as_array().unwrap()[..]);
        let all: BTreeSet<_> = many
            .iter()
            .map(|record| record["uuid"].to_string())
            .collect();
        assert_eq!(all.len(), 2000);
        assert_eq!(of_length(json!({}), 8), None);
    }
}
