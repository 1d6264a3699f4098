//! After a reload or a back navigation, the checkout continues with the same payment, which the tab has saved.

use js_sys::Function;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply, status};
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
    assert_eq!(again.text_of("amount"), "0.00012345 BTC");
    assert_eq!(again.text_of("wallet"), record::WALLET);
    assert_eq!(again.text_of("network"), "on Bitcoin");

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
    let link = again.attribute("explorer", "href");
    assert_eq!(link, Some(format!("https://mempool.space/tx/{hash}")));
}

#[wasm_bindgen_test]
async fn what_is_cancelled_is_forgotten() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    assert_eq!(remembered().len(), 1);
    proxy.reply(CANCEL, Reply::ok("[]"));
    checkout.cancel().await;
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
    assert!(!again.has_button("Back to the payment"));

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
    assert!(!again.has_button("Back to the payment"));
}

/// As in a sandboxed frame, where access is denied.
#[wasm_bindgen_test]
async fn a_page_without_storage_pays_all_the_same() {
    let deny = Function::new_no_args(
        "const own = Object.getOwnPropertyDescriptor(window, 'sessionStorage');
        const get = () => { throw new DOMException('denied', 'SecurityError'); };
        Object.defineProperty(window, 'sessionStorage', { get, configurable: true });
        return () => { Object.defineProperty(window, 'sessionStorage', own); };",
    );
    let proxy = Proxy::new();
    let checkout = Checkout::create(&proxy, &[("payment-token", "btc")]);
    let allow: Function = deny.call0(&JsValue::UNDEFINED).unwrap().unchecked_into();
    checkout.insert();
    checkout.until_ready().await;
    checkout.submit(&proxy, record::payment(None)).await;
    allow.call0(&JsValue::UNDEFINED).unwrap();
}
