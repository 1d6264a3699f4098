//! After a reload or a back navigation, the checkout continues with the same payment, which the tab has saved.

use js_sys::Function;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply, TOKENS, status};
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

/// The loader may have requested it, too, for a form that was not shown then.
#[wasm_bindgen_test]
async fn the_listing_for_another_token_is_a_new_one() {
    let proxy = Proxy::new();
    drop(Checkout::awaiting(&proxy, None).await);
    let checkout = Checkout::reopen(&proxy, &[]);
    checkout.until_part("amount").await;
    proxy.forget_requests();
    checkout.press("Use another token");
    checkout.until_ready().await;
    assert_eq!(proxy.sent(TOKENS).len(), 1);
}

#[wasm_bindgen_test]
async fn a_payment_is_of_one_invoice_at_one_proxy_and_forgotten_when_it_is_cancelled() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    let other = Checkout::reopen(&proxy, &[("invoice-number", "INV-8")]);
    other.until_ready().await;
    Checkout::reopen(&Proxy::new(), &[]).until_ready().await;
    assert_eq!(remembered().len(), 1);

    proxy.reply(CANCEL, Reply::ok("[]"));
    checkout.cancel().await;
    checkout.until_shown("Payment cancelled").await;
    assert_eq!(remembered(), [""; 0]);
    drop(checkout);
    Checkout::reopen(&proxy, &[]).until_ready().await;
}

/// The shop has changed the price, or another version of the page has saved the payment, whose record can't be trusted then.
#[wasm_bindgen_test]
async fn a_saved_payment_that_must_not_be_paid_is_only_mentioned() {
    const PRICE: &str = "The price has changed.";
    const MISMATCH: &str = "a payment that does not match this order";
    const DESCRIPTION: &str = "0.00012345 BTC on Bitcoin";
    let other_wallet = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
    for (quantity, wallet, shown, hidden) in [
        ("20", record::WALLET, [PRICE, DESCRIPTION], [MISMATCH, ""]),
        ("12.50", other_wallet, [MISMATCH, ""], [PRICE, "0.00012345"]),
    ] {
        let proxy = Proxy::new();
        drop(Checkout::awaiting(&proxy, Some("receipt-7")).await);
        let session = page::session();
        let key = session.key(0).unwrap().unwrap();
        let saved = session.get_item(&key).unwrap().unwrap();
        assert!(saved.contains(record::WALLET));
        let saved = saved.replace(record::WALLET, wallet);
        session.set_item(&key, &saved).unwrap();

        let again = Checkout::reopen(&proxy, &[("quantity", quantity)]);
        again.until_ready().await;
        again.until_shown(shown[0]).await;
        let text = again.text();
        assert!(text.contains(shown[1]), "{text}");
        for hidden in hidden.iter().filter(|hidden| !hidden.is_empty()) {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
        assert!(!again.has_button("Back to the payment"), "{text}");
    }
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
