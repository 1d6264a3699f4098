//! After a reload or a back navigation, the checkout continues with the same payment, which the tab has saved.

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::window;

use crate::support::checkout::{Checkout, ORDER};
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply, status};
use crate::support::wait::{settled, until};
use crate::support::{page, record};

/// Everything that the tab has saved.
fn remembered() -> Vec<String> {
    let session = page::session();
    let keys = (0..session.length().unwrap()).map(|index| session.key(index).unwrap().unwrap());
    keys.map(|key| session.get_item(&key).unwrap().unwrap())
        .collect()
}

#[wasm_bindgen_test]
async fn a_reload_shows_the_same_payment_without_a_request_for_another() {
    let proxy = Proxy::new();
    drop(Checkout::awaiting(&proxy, Some("receipt-7")).await);
    let seen = record::with_status("2", "Seen");
    proxy.reply(&status(), Reply::ok(seen));

    let again = Checkout::reopen(&proxy, &[]);
    again.until_part("amount").await;
    let amount = again.part("amount");
    assert_eq!(amount.text_content().unwrap(), "0.00012345 BTC");
    assert_eq!(again.part("wallet").text_content().unwrap(), record::WALLET);
    assert_eq!(again.part("network").text_content().unwrap(), "on Bitcoin");

    // The record may be outdated, so it is polled at once, with the same receipt.
    again.until_shown("Seen").await;
    let looks = proxy.sent(&status());
    assert_eq!(looks[0].authorization.as_deref(), Some("Bearer receipt-7"));
    assert_eq!(again.event_names(), ["tender-status"]);
    assert_eq!(proxy.sent(CREATE).len(), 1);
}

#[wasm_bindgen_test]
async fn after_a_reload_the_transaction_is_still_known() {
    let hash = "ab".repeat(32);
    let proxy = Proxy::new();
    let before = Checkout::awaiting(&proxy, None).await;
    before.paste_hash(&hash);
    before.until_event("tender-transaction").await;
    drop(before);
    let again = Checkout::reopen(&proxy, &[]);
    again.until_shown("Do not send again").await;
    assert!(!again.text().contains("Send exactly"));
    let link = again.part("explorer").get_attribute("href").unwrap();
    assert_eq!(link, format!("https://mempool.space/tx/{hash}"));
}

#[wasm_bindgen_test]
async fn a_request_whose_answer_the_page_did_not_live_to_see_is_sent_as_the_same() {
    let proxy = Proxy::new();
    let before = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
    let _never = proxy.hold(CREATE);
    before.pay();
    until("the request is sent", || proxy.sent(CREATE).len() == 1).await;
    drop(before);

    let again = Checkout::reopen(&proxy, &[]);
    again.until_ready().await;
    assert_eq!(again.chosen().as_deref(), Some("btc"));
    again.submit(&proxy, record::payment(None)).await;
    let sent = proxy.sent(CREATE);
    assert_eq!(sent[0].idempotency_key, sent[1].idempotency_key);
    assert_eq!(sent[0].body, sent[1].body);
}

#[wasm_bindgen_test]
async fn what_is_cancelled_is_forgotten() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    assert_eq!(remembered().len(), 1);
    proxy.reply(CANCEL, Reply::ok("[]"));
    checkout.press("Cancel payment");
    settled().await;
    checkout.press("Yes, cancel");
    checkout.until_shown("Payment cancelled").await;
    assert_eq!(remembered(), [""; 0]);
    drop(checkout);
    Checkout::reopen(&proxy, &[]).until_ready().await;
}

#[wasm_bindgen_test]
async fn another_invoice_and_another_proxy_are_other_payments() {
    let proxy = Proxy::new();
    let _first = Checkout::awaiting(&proxy, None).await;
    let other = Checkout::reopen(&proxy, &[("invoice-number", "INV-8")]);
    other.until_ready().await;
    Checkout::reopen(&Proxy::new(), &[]).until_ready().await;
    assert_eq!(remembered().len(), 1);
}

/// The shop has changed the price of the order: the payment at the old price must not be paid.
#[wasm_bindgen_test]
async fn a_payment_at_another_price_is_cancelled_first() {
    let proxy = Proxy::new();
    drop(Checkout::awaiting(&proxy, Some("receipt-7")).await);
    let again = Checkout::reopen(&proxy, &[("quantity", "20")]);
    again.until_ready().await;
    assert!(again.text().contains("The price has changed."));
    assert!(again.text().contains("0.00012345 BTC on Bitcoin"));
    assert!(
        !again
            .names("button")
            .contains(&"Back to the payment".to_owned())
    );

    proxy.reply(CANCEL, Reply::ok("[]"));
    again.submit(&proxy, record::payment(None)).await;
    assert_eq!(proxy.sent(CANCEL)[0].json()["transactionId"], record::ID);
    assert_eq!(proxy.sent(CREATE)[1].json()["quantity"], 20);
}

/// Another version of the page may have saved it. Nothing of its record can be trusted.
#[wasm_bindgen_test]
async fn a_saved_payment_that_does_not_match_is_not_described() {
    let proxy = Proxy::new();
    drop(Checkout::awaiting(&proxy, Some("receipt-7")).await);
    let session = page::session();
    let key = session.key(0).unwrap().unwrap();
    let saved = session.get_item(&key).unwrap().unwrap();
    let changed = saved.replace(record::WALLET, "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8");
    assert_ne!(changed, saved);
    session.set_item(&key, &changed).unwrap();

    let again = Checkout::reopen(&proxy, &[]);
    again.until_ready().await;
    again
        .until_shown("a payment that does not match this order")
        .await;
    for text in ["The price has changed.", "0.00012345", "TJRab"] {
        assert!(!again.text().contains(text), "{text}: {}", again.text());
    }
    assert!(
        !again
            .names("button")
            .contains(&"Back to the payment".to_owned())
    );
}

/// As in a sandboxed frame, where access is denied.
#[wasm_bindgen_test]
async fn a_page_without_storage_pays_all_the_same() {
    let name = JsValue::from_str("sessionStorage");
    let window = window().unwrap();
    let own = Object::get_own_property_descriptor(&window, &name);
    let refuse = Function::new_no_args("throw new DOMException('denied', 'SecurityError')");
    let denied = Object::new();
    Reflect::set(&denied, &"get".into(), &refuse).unwrap();
    Reflect::set(&denied, &"configurable".into(), &true.into()).unwrap();
    let proxy = Proxy::new();
    let attributes = [("proxy", proxy.address())].into_iter().chain(ORDER);
    let attributes: Vec<_> = attributes.chain([("payment-token", "btc")]).collect();
    let checkout = Checkout::bare(&attributes);
    Object::define_property(&window, &name, &denied);

    checkout.insert();
    checkout.until_ready().await;
    checkout.submit(&proxy, record::payment(None)).await;
    Object::define_property(&window, &name, own.unchecked_ref());
}
