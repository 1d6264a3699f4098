//! The field `testMode` in records of tokens and payments, and in the ledger.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use tender_protocol::record::map_elements;
use tender_protocol::test_mode::marked;
use tender_protocol::{Ledger, Payment, Token};

const TOKEN: &str = r#"{"token":"btc","network":{"name":"Bitcoin"}"#;
const PAYMENT: &str = r#"{"transactionId":"t","token":"BTC","paymentToken":"BTC","quantity":1.10,"quantityPay":1.10,"statusId":"1","wallet":"w""#;

#[test]
fn a_record_is_marked_in_test_mode_only() {
    let own = r#"{"a": 1.10,"b":[ {} ]}"#;
    assert_eq!(marked(own, false), own);
    let with_field = r#"{"a":1.10,"b":[ {} ],"testMode":true}"#;
    assert_eq!(marked(own, true), with_field);
    assert_eq!(marked(with_field, true), with_field);
    // A field of the service is not taken for the proxy's.
    let of_service = r#"{"testMode":true,"a":1.10,"b":[ {} ],"testMode":1}"#;
    assert_eq!(marked(of_service, false), r#"{"a":1.10,"b":[ {} ]}"#);
    assert_eq!(marked(of_service, true), with_field);
    for other in ["1", "[1]", "null", "{"] {
        assert_eq!(marked(other, true), other);
    }
}

#[test]
fn elements_are_rewritten_one_by_one() {
    let list = " [ {\"a\": 1.10}, 1,\n{}]".to_owned();
    let unchanged = map_elements(list.clone(), ToOwned::to_owned);
    assert_eq!(unchanged, Ok(list.clone()));
    let marked = map_elements(list, |element| marked(element, true)).unwrap();
    assert_eq!(
        marked,
        r#"[{"a":1.10,"testMode":true},1,{"testMode":true}]"#
    );
    for other in ["{}", "1", "["] {
        assert!(map_elements(other.to_owned(), ToOwned::to_owned).is_err());
    }
}

#[test]
fn only_true_means_test_mode() {
    let token = |field: &str| {
        let tokens = Token::accepted(&format!("[{TOKEN}{field}}}]")).unwrap();
        tokens.first().map(|token| token.test_mode)
    };
    let payment = |field: &str| Payment::parse(&format!("{PAYMENT}{field}}}")).unwrap();
    let ledger = |field: &str| {
        Ledger::parse(&format!(r#"{{"payments":[],"reconciling":[]{field}}}"#)).unwrap()
    };
    for (field, is_test) in [
        ("", false),
        (r#","testMode":true"#, true),
        (r#","testMode":false"#, false),
        (r#","testMode":null"#, false),
        (r#","testMode":"true""#, false),
        (r#","testMode":{}"#, false),
    ] {
        assert_eq!(token(field), Some(is_test), "{field}");
        assert_eq!(payment(field).test_mode, is_test, "{field}");
        assert_eq!(ledger(field).test_mode, is_test, "{field}");
        let written = serde_json::to_string(&payment(field)).unwrap();
        assert_eq!(written.contains(r#""testMode":true"#), is_test);
    }
}
