//! Requests are written with the documented field names and nothing else, and with amounts as JSON
//! numbers, digit for digit.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tender_protocol::request::{OrderClaims, PAYER_CHOOSES};
use tender_protocol::{Amount, CancelPayment, CreatePayment, OrderPayment, Payment, TokenCode};

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

/// It is written as `json`, and `json` is read as it.
fn assert_json<T>(value: &T, json: &str)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), *value);
}

#[test]
fn create_writes_the_documented_fields() {
    let mut create = CreatePayment {
        token: TokenCode::from("USDTT"),
        quantity: amount("1.10000000"),
        payment_token: TokenCode::from("btc"),
        invoice_number: "INV-1042".to_owned(),
        purchase_email: Some("ann@example.com".to_owned()),
        purchase_name: Some("Ann".to_owned()),
        item_number: Some(PAYER_CHOOSES.to_owned()),
    };
    assert_json(
        &create,
        r#"{"token":"usdtt","quantity":1.10000000,"paymentToken":"btc","invoiceNumber":"INV-1042","purchaseEmail":"ann@example.com","purchaseName":"Ann","itemNumber":"0"}"#,
    );
    create.purchase_email = None;
    create.purchase_name = None;
    create.item_number = None;
    assert_json(
        &create,
        r#"{"token":"usdtt","quantity":1.10000000,"paymentToken":"btc","invoiceNumber":"INV-1042"}"#,
    );
}

#[test]
fn a_signed_order_goes_without_a_price() {
    let mut payment = OrderPayment {
        replaces: None,
        order: "eyJ.e.s".to_owned(),
        payment_token: TokenCode::from("trx"),
        quantity: None,
        purchase_email: None,
        purchase_name: None,
    };
    assert_json(&payment, r#"{"order":"eyJ.e.s","paymentToken":"trx"}"#);
    payment.quantity = Some(amount("0.00000001"));
    payment.purchase_email = Some("ann@example.com".to_owned());
    payment.purchase_name = Some("Ann".to_owned());
    assert_json(
        &payment,
        r#"{"order":"eyJ.e.s","paymentToken":"trx","quantity":0.00000001,"purchaseEmail":"ann@example.com","purchaseName":"Ann"}"#,
    );
}

/// A shop's JWT library may write the price as a string or as a number, and adds `exp`.
#[test]
fn an_order_is_read_with_its_price_in_either_form_and_written_as_a_decimal_string() {
    let expected = OrderClaims {
        token: TokenCode::from("usdtt"),
        quantity: Some(amount("10.50")),
        invoice_number: "INV-1042".to_owned(),
        item_number: None,
        purchase_email: None,
        purchase_name: None,
    };
    for quantity in [r#""10.50""#, "10.50"] {
        let claims: OrderClaims = serde_json::from_str(&format!(
            r#"{{"iss":"shop","token":"USDTT","quantity":{quantity},"invoiceNumber":"INV-1042","purchaseName":null,"exp":1767225600}}"#,
        ))
        .unwrap();
        assert_eq!(claims, expected);
        assert_json(
            &claims,
            r#"{"token":"usdtt","quantity":"10.50","invoiceNumber":"INV-1042"}"#,
        );
    }
}

/// Only an order that lets the payer choose the amount has none.
#[test]
fn an_order_without_a_price_omits_it() {
    let json = r#"{"token":"usdtt","invoiceNumber":"INV-1042","itemNumber":"0"}"#;
    let claims: OrderClaims = serde_json::from_str(json).unwrap();
    assert_eq!(claims.quantity, None);
    assert_json(&claims, json);
}

#[test]
fn a_request_that_lacks_a_required_field_names_it() {
    let complete = r#"{"token":"trx","quantity":1,"paymentToken":"trx","invoiceNumber":"1"}"#;
    assert!(serde_json::from_str::<CreatePayment>(complete).is_ok());
    let renamed = |field: &str| complete.replacen(&format!("\"{field}\""), "\"x\"", 1);
    for field in ["token", "quantity", "paymentToken", "invoiceNumber"] {
        let error = serde_json::from_str::<CreatePayment>(&renamed(field)).unwrap_err();
        assert!(error.to_string().contains(&format!("`{field}`")), "{error}");
    }
    let error = serde_json::from_str::<CancelPayment>("{}").unwrap_err();
    assert!(error.to_string().contains("`transactionId`"), "{error}");
}

#[test]
fn a_payment_omits_what_it_does_not_have() {
    let json = r#"{"transactionId":"1","token":"BTC","paymentToken":"BTC","quantity":1.0,"quantityPay":1.00,"statusId":"9","statusText":"Paid late","wallet":"bc1q"}"#;
    assert_json(&Payment::parse(json).unwrap(), json);
}

#[test]
fn an_item_number_is_understood_as_a_text_and_as_a_number() {
    let item_number = |json: &str| {
        let body = format!(r#"{{"token":"usdtt","invoiceNumber":"INV-1"{json}}}"#);
        serde_json::from_str::<OrderClaims>(&body).map(|claims| claims.item_number)
    };
    for zero in [r#","itemNumber":"0""#, r#","itemNumber":0"#] {
        assert_eq!(item_number(zero).unwrap().as_deref(), Some("0"), "{zero}");
    }
    for absent in [r#","itemNumber":null"#, ""] {
        assert_eq!(item_number(absent).unwrap(), None, "{absent}");
    }
    for other in [r#","itemNumber":true"#, r#","itemNumber":[0]"#] {
        assert!(item_number(other).is_err(), "{other}");
    }
}

#[test]
fn the_service_may_name_a_token_by_its_code_or_its_ticker() {
    for (code, name) in [
        ("usdtt", "USDTT"),
        ("usdtt", "USDT"),
        ("trx", "Tron"),
        ("btc", " btc "),
    ] {
        assert!(TokenCode::from(code).may_be_named(name), "{code} {name}");
    }
    for (code, name) in [("usdtt", "USDTE"), ("trx", "USDT"), ("btc", "BNB")] {
        assert!(!TokenCode::from(code).may_be_named(name), "{code} {name}");
    }
}
