//! A record passes on unknown fields unchanged, byte for byte.

#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use proptest::prelude::*;
use tender_protocol::{Record, record};

fn round_trip(json: &str) -> String {
    let record = Record::parse(json, "a record").unwrap_or_default();
    serde_json::to_string(&record).unwrap_or_default()
}

#[test]
fn fields_and_digits_pass_through_byte_for_byte() {
    let deep = format!(
        r#"{{"deep":{}1{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let records = [
        "{}",
        r#"{"quantity":1.10000000,"quantityPay":0.00000001,"priceUsd":1E-8}"#,
        r#"{"a":123456789012345678901234567890,"b":0.123456789012345678901234567890}"#,
        r#"{"a":-0,"b":-0.0,"c":1e400,"d":1e-400,"e":5E+0,"f":-12.50}"#,
        r#"{"z":1,"a":2,"m":{"z":1.0,"a":[2.00,{}]},"":""}"#,
        r#"{"again":1,"other":2,"again":"1.0"}"#,
        r#"{"a":{ "b" : [ 1 , 2 ] },"c":"\u00e9\/\n\ud83d\ude42é🙂","d":null,"e":true}"#,
        &deep,
    ];
    for json in records {
        assert_eq!(round_trip(json), json, "{json:.200}");
    }
}

#[test]
fn only_escapes_that_some_programs_cannot_read_are_replaced() {
    for (json, readable) in [
        (r#"{"a":"é\\u00e9\n\/\"\ud83d\ude42\uD83D\uDE42"}"#, None),
        (r#""\\u0000 \\\\ud800""#, None),
        (
            r#"{"\u0000a":"\u0000\u0000b"}"#,
            Some(r#"{"\ufffda":"\ufffd\ufffdb"}"#),
        ),
        (r#""\\\u0000""#, Some(r#""\\\ufffd""#)),
        (r#""\ud800""#, Some(r#""\ufffd""#)),
        (r#""\uDC00\ud800""#, Some(r#""\ufffd\ufffd""#)),
        (
            r#""\ud83d\ud83d\ude42\ude42""#,
            Some(r#""\ufffd\ud83d\ude42\ufffd""#),
        ),
        (r#""\ud83d\\ude42""#, Some(r#""\ufffd\\ude42""#)),
        // No JSON: nothing is lost.
        (r"\u0000 \u00g0 \é \u00", Some(r"\ufffd \u00g0 \é \u00")),
        (r"\u+041 \", None),
    ] {
        let expected = readable.unwrap_or(json);
        assert_eq!(record::readable(json.to_owned()), expected, "{json}");
    }
}

#[test]
fn white_space_between_fields_is_all_that_is_lost() {
    assert_eq!(
        round_trip(" {\n \"a\" : 1.0 ,\t\"b\": [ 2 ] }\r\n"),
        r#"{"a":1.0,"b":[ 2 ]}"#
    );
}

#[test]
fn an_element_that_is_no_object_does_not_hide_the_others() {
    let elements = Record::parse_array(r#"[{"a":1},null,1,"x",[{}],{"a":2}]"#, "a list").unwrap();
    let values: Vec<_> = elements
        .iter()
        .map(|element| element.as_ref().ok().and_then(|record| record.get("a")))
        .collect();
    assert_eq!(values, [Some("1"), None, None, None, None, Some("2")]);
    let error = elements[1].as_ref().unwrap_err().to_string();
    assert!(error.starts_with("this is not a record: "), "{error}");
}

#[test]
fn get_returns_the_text_of_the_last_field_of_that_name() {
    let record = Record::parse(r#"{"a":1,"\u0061":1.50,"b":"\u0041"}"#, "a record").unwrap();
    let get = |field| record.get(field);
    assert_eq!(get("a"), Some("1.50"));
    assert_eq!(get("b"), Some(r#""\u0041""#));
    assert_eq!(get("A"), None);
}

#[test]
fn set_replaces_every_field_of_that_name_and_touches_no_other() {
    let mut record =
        Record::parse(r#"{"a":1.0,"receipt":1,"b":2.0,"receipt":2}"#, "a record").unwrap();
    record.set("receipt", "\"quoted\"\n").unwrap();
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(json, r#"{"a":1.0,"b":2.0,"receipt":"\"quoted\"\n"}"#);
}

#[test]
fn a_string_is_read_and_anything_else_is_not() {
    let json = r#"{"a":"\u00e9","b":1,"c":null,"d":{},"e":"\ud800"}"#;
    let record = Record::parse(json, "a record").unwrap();
    let string = |field| record.string(field);
    assert_eq!(string("a").as_deref(), Some("é"));
    for field in ["b", "c", "d", "e", "f"] {
        assert_eq!(string(field), None, "{field}");
    }
}

#[test]
fn what_is_not_an_object_is_refused_with_what_was_expected() {
    for json in [
        "",
        "null",
        "1",
        "[]",
        r#""x""#,
        "{",
        r#"{"a":}"#,
        r#"{"a":01}"#,
        "{} {}",
        "{a:1}",
    ] {
        let error = Record::parse(json, "a create answer")
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("this is not a create answer: "),
            "{json}: {error}"
        );
    }
    for json in ["{}", "null", "[{}", "[{},]", "[{}] 1"] {
        let error = Record::parse_array(json, "a list").unwrap_err().to_string();
        assert!(error.starts_with("this is not a list: "), "{json}: {error}");
    }
}

proptest! {
    /// Any names, in any order, and numbers of any length.
    #[test]
    fn any_object_passes_through(
        fields in prop::collection::vec(
            (
                r"[a-zA-Z_ é🙂]{0,8}",
                prop_oneof![
                    r"-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,4})?",
                    r#""([a-z ]|\\u00[0-9a-f]{2}|\\n)*""#,
                    r"null|true|false|\[ *\]|\{ *\}|\[ ?[0-9]\.0{1,3} ?(, ?\{\} ?)?\]",
                ],
            ),
            0..8,
        ),
    ) {
        let members: Vec<String> =
            fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        let json = format!("{{{}}}", members.join(","));
        prop_assert_eq!(round_trip(&json), json);
    }
}
