//! Token listings of any length.

use serde_json::Value;

/// A listing with this many records: the service's own, preceded by others whose codes are not
/// accepted, so that all of it must be parsed. `None` if `listing` is invalid.
pub(super) fn of_length(listing: Value, count: usize) -> Option<Value> {
    let Value::Array(mut records) = listing else {
        return None;
    };
    let pattern = records.last()?.clone();
    records.truncate(count);
    let others = (records.len()..count).map(|number| another(&pattern, number));
    Some(
        others
            .collect::<Vec<_>>()
            .into_iter()
            .chain(records)
            .collect(),
    )
}

fn another(pattern: &Value, number: usize) -> Value {
    let mut record = pattern.clone();
    if let Some(fields) = record.as_object_mut() {
        let uuid = pseudo_random_hex(number);
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

/// Hexadecimal digits like those of a random UUID, but reproducible.
fn pseudo_random_hex(number: usize) -> String {
    let mut state = number as u64 + 1;
    let mut next = || {
        // The linear congruential generator of Numerical Recipes. Any generator without repetitions
        // would do.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 32
    };
    let [a, b, c, d] = [next(), next(), next(), next()];
    format!(
        "{a:08x}-{:04x}-4{:03x}-8{:03x}-{c:08x}{:04x}",
        b >> 16,
        b & 0xfff,
        d & 0xfff,
        d >> 16
    )
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
