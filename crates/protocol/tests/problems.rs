//! Problems: every code is read as it was written, and unknown codes and members are tolerated.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use std::collections::HashSet;

use tender_protocol::{Problem, ProblemCode};

fn read(json: &str) -> Problem {
    serde_json::from_str(json).unwrap()
}

#[test]
fn every_code_round_trips() {
    for &code in ProblemCode::ALL.iter().chain([&ProblemCode::Unknown]) {
        let problem = Problem::of(code, "Choose another token.".to_owned());
        let json = serde_json::to_string(&problem).unwrap();
        let written = format!(r#""code":"{}""#, code.as_str());
        assert!(json.contains(&written), "{json}");
        assert_eq!(read(&json), problem);
    }
}

#[test]
fn every_code_is_one_of_a_kind_and_an_error() {
    let names: HashSet<&str> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(names.len(), ProblemCode::ALL.len());
    assert!(!names.contains(ProblemCode::Unknown.as_str()));
    for code in ProblemCode::ALL {
        let name = code.as_str();
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
            "{name}"
        );
        assert!((400..600).contains(&code.status()), "{name}");
        assert!(!code.title().is_empty(), "{name}");
    }
}

#[test]
fn the_members_have_the_names_of_the_rfc() {
    let problem = Problem::of(ProblemCode::NotFound, "Choose another token.".to_owned());
    assert_eq!(
        serde_json::to_string(&problem).unwrap(),
        concat!(
            r#"{"type":"urn:problem-type:tender:not-found","title":"Not found","#,
            r#""status":404,"detail":"Choose another token.","code":"not-found"}"#
        )
    );
}

#[test]
fn a_code_from_elsewhere_reads_as_unknown() {
    let alone: ProblemCode = serde_json::from_str(r#""teapot""#).unwrap();
    assert_eq!(alone, ProblemCode::Unknown);
    for code in [
        r#""teapot""#,
        r#""""#,
        r#""Not-Found""#,
        "null",
        "404",
        "[]",
        "{}",
        "true",
    ] {
        let json = format!(r#"{{"status":418,"code":{code}}}"#);
        let expected = Problem {
            status: 418,
            ..Problem::default()
        };
        assert_eq!(read(&json), expected, "{json}");
    }
}

#[test]
fn extra_members_are_ignored() {
    let json = r#"{"instance":"/p/1","code":"order-expired","errors":[{"a":1e400}],"status":403}"#;
    let expected = Problem {
        status: 403,
        code: ProblemCode::OrderExpired,
        ..Problem::default()
    };
    assert_eq!(read(json), expected);
    assert_eq!(read("{}"), Problem::default());
}

#[test]
fn a_member_of_another_type_is_ignored() {
    for json in ["null", "[]", "{}", "true", "-1", "70000", "1.5"] {
        let json = format!(
            r#"{{"type":{json},"title":{json},"status":{json},"detail":{json},"code":"internal"}}"#
        );
        let expected = Problem {
            code: ProblemCode::Internal,
            ..Problem::default()
        };
        assert_eq!(read(&json), expected, "{json}");
    }
}
