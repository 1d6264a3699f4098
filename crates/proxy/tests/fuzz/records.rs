//! What the service and the proxy send.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;
use tender_protocol::{Ledger, Payment, Record, Token};

use super::{TOKEN, fuzz, text};
use crate::store::payments::invoice_number;

const PAYMENT: &str = r#"[{"transactionId":"0b54","token":"USDTT","paymentToken":"TRX","quantity":25.00,
"quantityPay":80.64516129,"priceUsd":25,"purchaseEmail":"a@shop.example","purchaseName":null,"invoiceNumber":"INV-1",
"itemNumber":"0","statusId":"1","statusText":"Created","wallet":"TR7N","createdAt":"2026/02/03"}]"#;

/// Records are passed on unchanged: the same values under the same names.
#[test]
fn records_are_preserved() {
    fuzz(&[PAYMENT, TOKEN, "[]", "[{}]"], |input| {
        let Some(json) = text(input) else { return };
        let Ok(records) = Record::parse_array(json, "a list") else {
            return;
        };
        let came: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
        for (record, came) in records.iter().zip(came) {
            let Ok(record) = record else { continue };
            let handed_on = serde_json::to_string(record).unwrap();
            if let Ok(came) = serde_json::from_str::<Value>(came.get()) {
                assert_eq!(serde_json::from_str::<Value>(&handed_on).unwrap(), came);
            }
            if let Ok(payment) = Payment::try_from(record) {
                let wallet: String = serde_json::from_str(record.get("wallet").unwrap()).unwrap();
                assert_eq!(payment.wallet, wallet);
            }
            let _ = Token::try_from(record.clone());
        }
    });
}

/// A ledger that was read and written is read again as the same.
#[test]
fn the_ledger_survives_a_round_trip() {
    let seed = r#"{"payments":[{"transactionId":"0b54","attempts":2,"firstAttemptAt":"2026-11-21T17:52:36Z",
"notifiedAt":null,"notifications":1}],"reconciling":[{"invoiceNumber":"INV-1","token":"usdtt","paymentToken":"trx",
"quantity":25.00,"transactionId":"5f0c","since":"2026-11-21T17:53:01.22Z","reason":"cancel-unanswered"}],"more":true}"#;
    fuzz(&[seed], |input| {
        let Some(ledger) = text(input).and_then(|text| Ledger::parse(text).ok()) else {
            return;
        };
        let json = serde_json::to_string(&ledger).unwrap();
        assert_eq!(Ledger::parse(&json), Ok(ledger));
    });
}

/// Any webhook body yields at most one text of limited length.
#[test]
fn notifications_keep_their_invoice_number() {
    let long = format!(r#"{{"invoiceNumber":"{}"}}"#, "ü".repeat(300));
    let seeds = [
        r#"{"invoiceNumber":"INV-1","status":{"id":[1]}}"#,
        r#"{"invoiceNumber":"\u0000\ud83d\ude00"}"#,
        &long,
    ];
    fuzz(&seeds, |input| {
        if let Some(number) = invoice_number(input) {
            let read: HashMap<String, &RawValue> = serde_json::from_slice(input).unwrap();
            let named: String = serde_json::from_str(read["invoiceNumber"].get()).unwrap();
            assert!(named.replace('\0', "").starts_with(&number));
            assert!(number.chars().count() <= 255 && !number.contains('\0'));
        }
    });
}
