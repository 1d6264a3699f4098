//! Headers of requests.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};

use super::{SECRET, fuzz};
use crate::checkout::receipts::{Receipt, Rights};
use crate::config::{Config, Secret};
use crate::http::client_ip::{ClientIp, Peer};
use crate::http::credentials::{Access, Caller};
use crate::http::idempotency_key::{IDEMPOTENCY_KEY, idempotency_key};

#[test]
fn idempotency_keys_are_visible_ascii() {
    let long = "x".repeat(250);
    fuzz(&["8c9e-4f", "\"a \\\" b\"", "\"\"", &long], |input| {
        let Ok(value) = HeaderValue::from_bytes(input) else {
            return;
        };
        let headers = HeaderMap::from_iter([(IDEMPOTENCY_KEY.parse().unwrap(), value)]);
        if let Ok(Some(key)) = idempotency_key(&headers) {
            let key = key.as_str();
            assert!((1..=255).contains(&key.len()));
            assert!(key.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        }
    });
}

/// A damaged receipt is never valid for another payment, and only the exact key is accepted.
#[test]
fn only_the_given_credentials_are_accepted() {
    let nowhere = "http://127.0.0.1:1";
    let mut config = Config::new(nowhere, nowhere).unwrap();
    config.access.receipt_keys = vec![Secret::from(SECRET)];
    let merchant = "a merchant key of the tests, 32 characters or more";
    config.access.merchant_keys = vec![Secret::from(merchant)];
    let stored = Secret::from("the key in the database, 32 characters or more");
    let access = Access::new(&config, &stored, None, false);
    let issued = Receipt {
        transaction_id: "0b54".to_owned(),
        rights: Rights::Found,
    };
    let receipt = access.receipts.issue(&issued, Duration::MAX).unwrap();
    let receipt = format!("Bearer {receipt}");
    let merchant = format!("Bearer {merchant}");
    let twice = merchant.replace("Bearer", &merchant);
    let examples = [
        &*receipt,
        &merchant,
        &twice,
        "Basic YTpi",
        "",
        "Bearer",
        "Bearer ",
        "bearer:x",
        "Bearer\tx",
        "Bearer \u{e9}",
    ];
    fuzz(&examples, |input| {
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
        match access.caller(&headers) {
            Ok(Caller::Merchant { .. }) => assert!(same(&merchant), "forged"),
            Ok(Caller::Buyer(read)) => {
                assert!(same(&receipt) && read == issued, "forged");
            }
            Err(_) => {}
        }
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
    fuzz(&seeds, |input| {
        let Ok(value) = HeaderValue::from_bytes(input) else {
            return;
        };
        let client = |request: &Request, trusted| {
            ClientIp::of(request.headers(), request.extensions(), trusted)
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
