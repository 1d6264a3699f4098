//! The parsers and the properties that each must have.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr as _;

use axum::body::Body;
use axum::extract::{Query, Request};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue, Uri};
use bigdecimal::BigDecimal;
use jsonwebtoken::{EncodingKey, Header, encode};
use reqwest::Url;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tender_protocol::{Amount, CancelPayment, Ledger, Listing, Payment, Record, Token};

use super::fuzz;
use crate::checkout::order;
use crate::checkout::parse;
use crate::checkout::purchase::Purchase;
use crate::config::Secret;
use crate::config::{Config, OrderKey};
use crate::http::client_ip::{Peer, TrustedProxies};
use crate::http::credentials::Caller;
use crate::http::idempotency_key::{IDEMPOTENCY_KEY, idempotency_key};
use crate::http::routes::{Fields, LAST_EVENT_ID, Page, asked, last_event_id};
use crate::server::open_app;
use crate::store::payments::invoice_number;

const SECRET: &str = "an order key of the tests, 32 characters or more";

pub(super) const TOKEN: &str = r#"[{"uuid":"5f0c","name":"Tether USD","symbol":"USDT","token":"usdtt","decimals":6,
"logo":"https://logos.example/usdt.png","network_uuid":"9a","network":{"name":"TRON","token":"trx",
"currency":"TRX","explorer":"https://tronscan.org/#/transaction/","uuid":"9a"},"meta":{}}]"#;

const PAYMENT: &str = r#"[{"transactionId":"0b54","token":"USDTT","paymentToken":"TRX","quantity":25.00,
"quantityPay":80.64516129,"priceUsd":25,"purchaseEmail":"a@shop.example","purchaseName":null,"invoiceNumber":"INV-1",
"itemNumber":"0","statusId":"1","statusText":"Created","wallet":"TR7N","createdAt":"2026/02/03"}]"#;

const PLAIN: &str = r#"{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-1",
"purchaseEmail":"a@shop.example","purchaseName":"A","itemNumber":"2"}"#;

pub(super) fn text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok()
}

fn keys() -> Vec<OrderKey> {
    vec![OrderKey::hs256(Some("k".to_owned()), &Secret::from(SECRET))]
}

/// Orders that expire in 2100: one with a price, and one whose payer chooses the amount.
fn orders() -> [String; 2] {
    let sign = |claims: Value| {
        let header = Header {
            kid: Some("k".to_owned()),
            ..Header::default()
        };
        encode(
            &header,
            &claims,
            &EncodingKey::from_secret(SECRET.as_bytes()),
        )
        .unwrap()
    };
    let priced = json!({
        "token": "usdtt", "quantity": "25.00", "invoiceNumber": "INV-1", "exp": 4_102_444_800_u64,
    });
    let chosen = json!({
        "token": "usdtt", "invoiceNumber": "INV-2", "itemNumber": "0", "exp": 4_102_444_800_u64,
    });
    [sign(priced), sign(chosen)]
}

/// A damaged order is never accepted, unless its signed content is unchanged.
#[test]
fn accepted_orders_are_as_signed() {
    let keys = keys();
    let [priced, chosen] = orders();
    let seeds = [
        &*priced,
        &*chosen,
        "eyJhbGciOiJub25lIn0.e30.",
        "e30.e30.e30",
    ];
    fuzz("order", &seeds, |input| {
        if let Some(input) = text(input)
            && order::verify(input, &keys).is_ok()
        {
            assert!(seeds.contains(&input), "forged");
        }
    });
}

/// A request to the service always has an accepted token, an invoice and an amount. With a signed
/// price, the amount is that price.
#[test]
fn accepted_create_requests_are_valid() {
    let keys = keys();
    let [priced, chosen] = orders();
    let priced = json!({ "order": priced, "paymentToken": "trx" }).to_string();
    let chosen = json!({ "order": chosen, "paymentToken": "trx", "quantity": "5.5" }).to_string();
    let price: Amount = "25.00".parse().unwrap();
    fuzz("create", &[PLAIN, &priced, &chosen], |input| {
        let Some(Ok(purchase)) = text(input).map(|json| Purchase::read(json, &keys, true)) else {
            return;
        };
        let payment = purchase.payment;
        assert!(!payment.quantity.is_zero());
        assert!(!payment.invoice_number.trim().is_empty());
        assert!(payment.token.is_accepted() && payment.payment_token.is_accepted());
        let chosen = payment.item_number.as_deref() == Some("0");
        if purchase.signed.is_some() && !chosen {
            assert_eq!(payment.quantity, price);
        }
        // The service receives the exact amount.
        let sent: Value = serde_json::to_value(&payment).unwrap();
        assert!(sent["quantity"].is_number());
    });
}

#[test]
fn cancel_requests_keep_their_payment() {
    let seeds = [
        r#"{"transactionId":"0b54"}"#,
        r#"{"transactionId":"\u0041","x":[1,{}]}"#,
    ];
    fuzz("cancel", &seeds, |input| {
        let Some(json) = text(input) else { return };
        if let Ok(CancelPayment { transaction_id }) = parse(json) {
            // Other fields are not parsed, not even numbers, which may be out of range.
            let read: HashMap<String, &RawValue> = serde_json::from_str(json).unwrap();
            let named: String = serde_json::from_str(read["transactionId"].get()).unwrap();
            assert_eq!(named, transaction_id);
        }
    });
}

/// Records are passed on unchanged: the same values under the same names.
#[test]
fn records_are_preserved() {
    fuzz("records", &[PAYMENT, TOKEN, "[]", "[{}]"], |input| {
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

#[test]
fn listings_are_parsed_or_refused() {
    fuzz("listing", &[TOKEN, "[]"], |input| {
        if let Some(json) = text(input) {
            let _ = Listing::parse(json);
        }
    });
}

/// The value agrees with another decimal library, and the digits survive a round trip.
#[test]
fn amounts_keep_their_value() {
    let seeds = [
        "25.00",
        "0.00000001",
        "1e-8",
        "123456789012.12345678",
        "\"7.50\"",
        "1E+3",
        "-0",
    ];
    fuzz("amount", &seeds, |input| {
        let Some(json) = text(input) else { return };
        if let Ok(amount) = serde_json::from_str::<Amount>(json) {
            let written = amount.to_string();
            assert_eq!(written.parse::<Amount>().unwrap(), amount);
            let number = json.trim().trim_matches('"').trim();
            let exact = BigDecimal::from_str(number).unwrap();
            assert_eq!(exact, BigDecimal::from_str(&written).unwrap());
            let _ = (amount.to_base_units(18), amount.round_up(6));
        }
    });
}

#[test]
fn idempotency_keys_are_visible_ascii() {
    let long = "x".repeat(250);
    fuzz(
        "idempotency-key",
        &["8c9e-4f", "\"a \\\" b\"", "\"\"", &long],
        |input| {
            let Ok(value) = HeaderValue::from_bytes(input) else {
                return;
            };
            let headers = HeaderMap::from_iter([(IDEMPOTENCY_KEY.parse().unwrap(), value)]);
            if let Ok(Some(key)) = idempotency_key(&headers) {
                let key = key.as_str();
                assert!((1..=255).contains(&key.len()));
                assert!(key.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            }
        },
    );
}

/// A damaged receipt is never valid for another payment, and only the exact key is accepted.
#[test]
fn only_the_given_credentials_are_accepted() {
    let nowhere = "http://127.0.0.1:1";
    let mut config = Config::new(nowhere, nowhere).unwrap();
    config.access.receipt_keys = vec![Secret::from(SECRET)];
    config.access.merchant_keys = vec![Secret::from(
        "a merchant key of the tests, 32 characters or more",
    )];
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let app = runtime
        .block_on(open_app(config))
        .unwrap_or_else(|error| panic!("{error}"));
    let receipt = format!(
        "Bearer {}",
        app.access.load().receipts.issue("0b54").unwrap()
    );
    let merchant = "Bearer a merchant key of the tests, 32 characters or more";
    fuzz(
        "authorization",
        &[&receipt, merchant, "Basic YTpi"],
        |input| {
            let Ok(value) = HeaderValue::from_bytes(input) else {
                return;
            };
            let sent = value.to_str().unwrap_or_default().trim().to_owned();
            let headers = HeaderMap::from_iter([(AUTHORIZATION, value)]);
            // The case of the scheme and the spaces after it don't matter.
            let same = |good: &str| {
                let token = |text: &str| {
                    text.split_once(' ')
                        .map(|(_, token)| token.trim().to_owned())
                };
                token(&sent) == token(good)
            };
            match app.access.load().caller(&headers) {
                Ok(Caller::Merchant { .. }) => assert!(same(merchant), "forged"),
                Ok(Caller::Buyer { transaction_id }) => {
                    assert!(same(&receipt) && transaction_id == "0b54", "forged");
                }
                Err(_) => {}
            }
        },
    );
}

#[test]
fn a_page_is_a_positive_whole_number() {
    fuzz(
        "query",
        &["page=1", "page=4294967295", "page=2&other=%41"],
        |input| {
            let Some(query) = text(input) else { return };
            let Ok(uri) = format!("/list?{query}").parse::<Uri>() else {
                return;
            };
            if let Ok(Query(Page { page: Some(page) })) = Query::<Page>::try_from_uri(&uri) {
                assert!(page.get() > 0);
                let digits = page.to_string();
                assert!(
                    digits
                        .bytes()
                        .all(|digit| query.bytes().any(|byte| byte == digit || byte == b'%'))
                );
            }
        },
    );
}

#[test]
fn requested_payments_are_those_in_the_query() {
    let seeds = [
        "transactionId=0b54&transactionId=5f0c",
        "transactionId=%F0%9F%92%B8&page=1",
        "transactionId=a+b&transactionId=a%20b&transactionId",
    ];
    fuzz("ledger query", &seeds, |input| {
        let Some(query) = text(input) else { return };
        let Ok(uri) = format!("/ledger?{query}").parse::<Uri>() else {
            return;
        };
        let Ok(Query(fields)) = Query::<Fields>::try_from_uri(&uri) else {
            return;
        };
        let url: Url = format!("http://a{uri}").parse().unwrap();
        let named = url
            .query_pairs()
            .filter(|(name, _)| name == "transactionId");
        let named: BTreeSet<_> = named.map(|(_, id)| id.into_owned()).collect();
        if let Ok(ids) = asked(fields) {
            assert_eq!(BTreeSet::from_iter(ids), named);
        } else {
            let is_unusable =
                |id: &String| id.is_empty() || id.len() > 256 || id.contains(char::is_control);
            assert!(named.len() > 100 || named.iter().any(is_unusable));
        }
    });
}

/// The page number that a client of the proxy sends.
#[test]
fn the_ledger_survives_a_round_trip() {
    let seed = r#"{"payments":[{"transactionId":"0b54","attempts":2,"firstAttemptAt":"2026-11-21T17:52:36Z",
"notifiedAt":null,"notifications":1}],"reconciling":[{"invoiceNumber":"INV-1","token":"usdtt","paymentToken":"trx",
"quantity":25.00,"transactionId":"5f0c","since":"2026-11-21T17:53:01.22Z","reason":"cancel-unanswered"}],"more":true}"#;
    fuzz("ledger", &[seed], |input| {
        let Some(ledger) = text(input).and_then(|text| Ledger::parse(text).ok()) else {
            return;
        };
        let json = serde_json::to_string(&ledger).unwrap();
        assert_eq!(Ledger::parse(&json), Ok(ledger));
    });
}

/// Without a trusted proxy, no header changes the client address.
#[test]
fn a_forwarded_address_counts_only_from_a_trusted_proxy() {
    let seeds = [
        "192.0.2.1, 198.51.100.7:80",
        "[2001:db8::1]:443,unknown",
        "::ffff:192.0.2.1",
    ];
    fuzz("forwarded-for", &seeds, |input| {
        let Ok(value) = HeaderValue::from_bytes(input) else {
            return;
        };
        let client = |request: &Request, trusted| {
            TrustedProxies::new(trusted).client(request.headers(), request.extensions())
        };
        let mut request = Request::new(Body::empty());
        request
            .extensions_mut()
            .insert(Peer(([203, 0, 113, 5], 80).into()));
        let peer = client(&request, 0);
        request.headers_mut().insert("x-forwarded-for", value);
        assert_eq!(client(&request, 0), peer);
        let _ = client(&request, 1);
        assert_eq!(client(&request, usize::MAX), peer);
    });
}

#[test]
fn last_event_ids_are_whole_numbers() {
    let seeds = ["7", "-1", "9223372036854775807", "0012"];
    fuzz("last-event-id", &seeds, |input| {
        let Ok(value) = HeaderValue::from_bytes(input) else {
            return;
        };
        let written = value.to_str().map(str::to_owned);
        let headers = HeaderMap::from_iter([(LAST_EVENT_ID, value)]);
        if let Some(id) = last_event_id(&headers) {
            let written: BigDecimal = written.unwrap().parse().unwrap();
            assert_eq!(written, BigDecimal::from(id));
        }
    });
}

/// Any webhook body yields at most one text of limited length.
#[test]
fn notifications_keep_their_invoice_number() {
    let seeds = [
        r#"{"invoiceNumber":"INV-1","status":{"id":[1]}}"#,
        r#"{"invoiceNumber":"\u0000\ud83d\ude00"}"#,
    ];
    fuzz("notification", &seeds, |input| {
        if let Some(number) = invoice_number(input) {
            let read: HashMap<String, &RawValue> = serde_json::from_slice(input).unwrap();
            let named: String = serde_json::from_str(read["invoiceNumber"].get()).unwrap();
            assert!(named.replace('\0', "").starts_with(&number));
            assert!(number.chars().count() <= 255 && !number.contains('\0'));
        }
    });
}
