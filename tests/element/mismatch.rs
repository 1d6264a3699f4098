//! A created record that contradicts its request is not shown as a place to send money.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;

#[wasm_bindgen_test]
async fn a_record_of_something_else_is_an_alert() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
    let record = record::payment(None).replace("INV-7", "INV-8");
    proxy.reply(CREATE, Reply::ok(record));
    checkout.pay();
    checkout
        .until_shown("a payment that does not match this order")
        .await;
    assert_eq!(checkout.role("alert").len(), 1);
    for part in ["amount", "wallet", "qr", "explorer", "retry"] {
        assert!(!checkout.has_part(part), "{part}");
    }
    assert!(checkout.details_of("tender-created").is_empty());
    let [error] = &checkout.details_of("tender-error")[..] else {
        panic!("one error");
    };
    assert_eq!(error["code"], "record-mismatch");
    assert_eq!(error["retryable"], false);
}

/// With item number 0 the payer chooses the amount, and the service may ask for none.
#[wasm_bindgen_test]
async fn any_amount_is_not_exactly_zero() {
    let record = record::payment(None).replace("0.00012345", "0.00");
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("item-number", "0")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    proxy.reply(CREATE, Reply::ok(record));
    checkout.pay();
    checkout.until_shown("Send any amount of BTC").await;
    assert!(!checkout.text().contains("Send exactly"));
    assert!(!checkout.has_part("amount") && !checkout.has_part("with-amount"));
    assert_eq!(checkout.text_of("wallet"), record::WALLET);
}
