//! Failures: an error message, and a button to retry.

use js_sys::Promise;
use serde_json::{Value, json};
use tender_checkout_core::{HttpResponse, TransportError};
use tender_element::http;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::developer::Console;
use crate::support::proxy::{CREATE, Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::wait::settled;

/// A code of `tender-error`, and whether it is retryable.
type Said = (&'static str, bool);

/// The possible outcomes of a request, the event for the page, and a part of the buyer's text.
fn failures() -> Vec<(Reply, Said, &'static str)> {
    vec![
        (Reply::Lost, ("unreachable", true), "could not reach"),
        (Reply::TimedOut, ("timeout", true), "too long"),
        (
            Reply::problem(502, "service-failed"),
            ("service-failed", true),
            "has a problem",
        ),
        (
            Reply::ok("<!doctype html><title>Welcome</title>"),
            ("answer-unreadable", true),
            "has a problem",
        ),
        (
            Reply::problem(403, "unsigned-order-refused"),
            ("order-refused", false),
            "contact the shop",
        ),
        (
            Reply::problem(403, "order-expired"),
            ("order-expired", false),
            "has expired",
        ),
        (
            Reply::problem(410, "attempt-ended"),
            ("attempt-ended", false),
            "was cancelled",
        ),
        (
            Reply::problem(502, "service-refused"),
            ("request-refused", false),
            "did not accept",
        ),
    ]
}

fn errors(checkout: &Checkout) -> Vec<(Value, Value)> {
    let errors = checkout.details_of("tender-error");
    let pairs = errors.into_iter().map(|error| {
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{error}"
        );
        (error["code"].clone(), error["retryable"].clone())
    });
    pairs.collect()
}

#[wasm_bindgen_test]
async fn a_payment_that_was_not_created_can_be_tried_again_or_left() {
    let other = record::payment(None).replace("INV-7", "INV-8");
    let mismatch = (
        Reply::ok(other),
        ("record-mismatch", false),
        "a payment that does not match this order",
    );
    for (reply, (code, retryable), word) in failures().into_iter().chain([mismatch]) {
        let proxy = Proxy::new();
        let checkout = Checkout::ready(&proxy, &[]).await;
        checkout.choose("Bitcoin, Bitcoin");
        proxy.reply(CREATE, reply);
        checkout.pay();
        checkout.until_event("tender-error").await;
        settled().await;

        assert_eq!(errors(&checkout), [(json!(code), json!(retryable))]);
        let said = checkout.alert();
        assert!(said.contains(word), "{code}: {said}");
        assert_eq!(checkout.has_part("retry"), retryable, "{code}");
        for part in ["amount", "wallet", "qr", "explorer"] {
            assert!(!checkout.has_part(part), "{code}: {part}");
        }
        assert!(checkout.details_of("tender-created").is_empty(), "{code}");
        assert!(checkout.shows_fallback(), "{code}: the shop's own way");
        assert_eq!(checkout.has_part("contact"), !retryable, "{code}");
        assert_eq!(
            checkout.chosen().as_deref(),
            Some("btc"),
            "{code}: the choice stands"
        );

        if retryable {
            proxy.reply(CREATE, Reply::ok(record::payment(None)));
            checkout.press("Try again");
            checkout.until_part("amount").await;
        } else {
            checkout.press("Back");
            settled().await;
            assert!(checkout.role("alert").is_empty() && !checkout.shows_fallback());
            checkout.choose("TRON, TRON");
            settled().await;
            assert_eq!(checkout.chosen().as_deref(), Some("trx"));
        }
    }
}

/// A `proxy` without a scheme asks the page's own server.
#[wasm_bindgen_test]
async fn the_console_has_the_address_that_was_asked() {
    let console = Console::listen("error");
    let proxy = Proxy::new();
    proxy.reply(TOKENS, Reply::Answer(404, "Not Found".to_owned()));
    let checkout = Checkout::open(&proxy, &[]);
    checkout.until_event("tender-error").await;
    settled().await;
    let said = format!(
        "<tender-checkout>: the proxy answered with HTTP 404 (proxy: {}/)",
        proxy.address()
    );
    assert_eq!(console.lines(), [said]);
}

#[wasm_bindgen_test]
async fn without_tokens_the_shop_s_own_way_is_shown() {
    let none = (Reply::ok("[]"), ("no-tokens", true), "another way to pay");
    for (reply, (code, retryable), word) in failures().into_iter().chain([none]) {
        let proxy = Proxy::new();
        proxy.reply(TOKENS, reply);
        let checkout = Checkout::open(&proxy, &[]);
        checkout.until_event("tender-error").await;
        settled().await;

        assert_eq!(errors(&checkout), [(json!(code), json!(retryable))]);
        let said = checkout.alert();
        assert!(
            (said.contains("not available") || said.contains("not set up")) && said.contains(word),
            "{code}: {said}"
        );
        assert!(checkout.shows_card() && checkout.shows_fallback(), "{code}");
        assert_eq!(checkout.has_part("retry"), retryable, "{code}");
        assert!(checkout.details_of("tender-ready").is_empty());

        if retryable {
            checkout.press("Try again");
            checkout.until_ready().await;
            assert!(checkout.role("alert").is_empty() && !checkout.shows_fallback());
        }
    }
}

#[wasm_bindgen_test]
async fn what_the_loader_hands_over_is_an_answer_or_none() {
    let handed = |script: &str| {
        let value = js_sys::eval(&format!("({script})")).unwrap();
        http::from_loader(Promise::resolve(&value))
    };
    assert_eq!(
        handed("{ status: 503, body: '[]' }").await,
        Ok(HttpResponse {
            status: 503,
            body: "[]".to_owned(),
        })
    );
    for none in [
        "undefined",
        "null",
        "'[]'",
        "{}",
        "{ status: 200 }",
        "{ status: '200', body: '[]' }",
        "{ status: 200, body: [] }",
        "{ get status() { throw new Error('no'); }, body: '[]' }",
    ] {
        let answered = handed(none).await;
        assert!(
            matches!(answered, Err(TransportError::Unreachable(_))),
            "{none}: {answered:?}"
        );
    }
}
