//! A repeated request does not create a second payment: the proxy identifies the attempt by its key.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::developer::Console;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;

/// The keys of all create requests.
fn keys(proxy: &Proxy) -> Vec<String> {
    let sent = proxy.sent(CREATE);
    let keys = sent.into_iter().map(|sent| sent.idempotency_key.unwrap());
    keys.collect()
}

async fn chosen(proxy: &Proxy, token: &str) -> Checkout {
    let checkout = Checkout::ready(proxy, &[]).await;
    checkout.choose(token);
    checkout
}

#[wasm_bindgen_test]
async fn a_double_click_sends_one_request() {
    let proxy = Proxy::new();
    let checkout = chosen(&proxy, "Bitcoin, Bitcoin").await;
    let create = proxy.hold(CREATE);
    let submit = checkout.named("button", "Pay");
    submit.click();
    submit.click();
    settled().await;
    submit.click();
    settled().await;
    assert_eq!(keys(&proxy).len(), 1);

    create.open(Reply::ok(record::payment(None)));
    checkout.until_part("amount").await;
    assert_eq!(checkout.details_of("tender-created").len(), 1);
}

#[wasm_bindgen_test]
async fn the_key_is_a_structured_string_of_its_own() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let proxy = Proxy::new();
        let checkout = chosen(&proxy, "Bitcoin, Bitcoin").await;
        checkout.submit(&proxy, record::payment(None)).await;
        seen.extend(keys(&proxy));
    }
    for key in &seen {
        let inside = key
            .strip_prefix('"')
            .and_then(|key| key.strip_suffix('"'))
            .unwrap();
        assert!(inside.len() >= 32, "at least 128 bits: {key}");
    }
    assert_ne!(seen[0], seen[1]);
}

#[wasm_bindgen_test]
async fn trying_again_sends_the_same_request_with_the_same_key() {
    let proxy = Proxy::new();
    let checkout = chosen(&proxy, "Bitcoin, Bitcoin").await;
    proxy.reply(CREATE, Reply::TimedOut);
    proxy.reply(CREATE, Reply::Lost);
    proxy.reply(CREATE, Reply::ok(record::payment(None)));
    checkout.pay();
    checkout.until_part("retry").await;
    // A second click while the request is in progress does nothing.
    let retry = checkout.named("button", "Try again");
    retry.click();
    retry.click();
    settled().await;
    checkout.press("Try again");
    checkout.until_part("amount").await;

    let sent = proxy.sent(CREATE);
    assert_eq!(sent.len(), 3);
    assert!(
        sent.iter()
            .all(|request| request.idempotency_key == sent[0].idempotency_key)
    );
    assert!(sent.iter().all(|request| request.body == sent[0].body));
}

#[wasm_bindgen_test]
async fn the_same_form_again_is_the_same_attempt_and_another_form_is_another() {
    let proxy = Proxy::new();
    let checkout = chosen(&proxy, "Bitcoin, Bitcoin").await;
    for token in ["Bitcoin, Bitcoin", "Bitcoin, Bitcoin", "TRON, TRON"] {
        checkout.choose(token);
        proxy.reply(CREATE, Reply::Lost);
        checkout.pay();
        checkout.until_part("back").await;
        checkout.press("Back");
        settled().await;
    }
    let keys = keys(&proxy);
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[1], keys[2]);
}

#[wasm_bindgen_test]
async fn after_a_reset_the_same_form_leads_to_the_payment_that_exists() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    checkout.call("reset");
    checkout.until_ready().await;
    checkout.pay();
    checkout.until_part("amount").await;
    assert_eq!(keys(&proxy).len(), 1);
    assert_eq!(checkout.details_of("tender-created").len(), 1);

    checkout.call("reset");
    checkout.until_ready().await;
    checkout.choose("TRON, TRON");
    proxy.reply(CANCEL, Reply::ok("[]"));
    checkout.submit(&proxy, record::payment(None)).await;
    let keys = keys(&proxy);
    assert_eq!(keys.len(), 2);
    assert_ne!(keys[0], keys[1]);
}

#[wasm_bindgen_test]
async fn after_a_reset_the_same_form_is_the_attempt_whose_answer_was_lost() {
    let proxy = Proxy::new();
    let checkout = chosen(&proxy, "Bitcoin, Bitcoin").await;
    proxy.reply(CREATE, Reply::Lost);
    checkout.pay();
    checkout.until_part("retry").await;
    checkout.call("reset");
    checkout.until_part("submit").await;
    checkout.submit(&proxy, record::payment(None)).await;
    let keys = keys(&proxy);
    assert_eq!(keys[0], keys[1]);
}

#[wasm_bindgen_test]
async fn after_a_cancellation_a_new_attempt_begins() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    proxy.reply(CANCEL, Reply::ok(record::list(&[record::payment(None)])));
    checkout.press("Cancel payment");
    settled().await;
    checkout.press("Yes, cancel");
    checkout.until_event("tender-cancelled").await;
    settled().await;
    checkout.press("Start a new payment");
    settled().await;
    checkout.submit(&proxy, record::payment(None)).await;
    let keys = keys(&proxy);
    assert_ne!(keys[0], keys[1]);
}

/// A mistake of the page, as each order has a number of its own.
#[wasm_bindgen_test]
async fn elements_with_one_plain_order_share_its_payment() {
    let console = Console::listen("warn");
    let proxy = Proxy::new();
    let first = Checkout::ready(&proxy, &[]).await;
    assert_eq!(console.lines(), [""; 0]);
    let second = Checkout::reopen(&proxy, &[]);
    second.until_ready().await;
    let third = Checkout::reopen(&proxy, &[("accept", "trx btc")]);
    third.until_ready().await;
    assert_eq!(console.lines().len(), 2);
    assert!(console.lines()[0].contains("share one payment"));

    first.choose("Bitcoin, Bitcoin");
    first
        .submit(&proxy, record::payment(Some("receipt-7")))
        .await;
    for other in [&second, &third] {
        other.choose("TRON, TRON");
        other.pay();
        other.until_part("amount").await;
        let wallet = other.part("wallet").text_content();
        assert_eq!(wallet.as_deref(), Some(record::WALLET));
    }
    assert_eq!(keys(&proxy).len(), 1);

    // Where it is gone, another one can be made.
    drop((first, second));
    let other = Checkout::ready(&proxy, &[]).await;
    other.choose("Bitcoin, Bitcoin");
    other.submit(&proxy, record::payment(None)).await;
    assert_eq!(keys(&proxy).len(), 2);
}
