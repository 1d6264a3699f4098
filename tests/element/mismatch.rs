//! A created record that contradicts its request is not shown as a place to send money.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;

const TRON_WALLET: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";

/// Chooses Bitcoin; the proxy responds with this record.
async fn pay(attributes: &[(&str, &str)], record: String) -> Checkout {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, attributes).await;
    checkout.choose("Bitcoin, Bitcoin");
    proxy.reply(CREATE, Reply::ok(record));
    checkout.pay();
    settled().await;
    checkout
}

#[wasm_bindgen_test]
async fn a_record_of_something_else_is_an_alert() {
    for (from, to) in [
        (r#""paymentToken":"BTC""#, r#""paymentToken":"TRX""#),
        ("INV-7", "INV-8"),
        (record::WALLET, TRON_WALLET),
        // The checksum is wrong.
        (record::WALLET, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdr"),
        (record::WALLET, "the wallet"),
        ("0.00012345", "0.00000000"),
    ] {
        let checkout = pay(&[], record::payment(None).replace(from, to)).await;
        checkout
            .until_shown("a payment that does not match this order")
            .await;
        assert_eq!(checkout.role("alert").len(), 1, "{to}");
        for part in ["amount", "wallet", "qr", "explorer", "retry"] {
            assert!(!checkout.has_part(part), "{part}: {to}");
        }
        assert!(checkout.details_of("tender-created").is_empty());
        let [error] = &checkout.details_of("tender-error")[..] else {
            panic!("one error: {to}");
        };
        assert_eq!(error["code"], "record-mismatch");
        assert_eq!(error["retryable"], false);
    }
}

#[wasm_bindgen_test]
async fn invisible_characters_in_a_wallet_are_an_alert() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    checkout.choose("KXP, BNB Smart Chain");
    let record = record::payment(None).replace(record::WALLET, "KXP-\u{202e}1");
    proxy.reply(CREATE, Reply::ok(record));
    checkout.pay();
    checkout.until_event("tender-error").await;
    assert_eq!(
        checkout.details_of("tender-error")[0]["code"],
        "record-mismatch"
    );
    assert!(!checkout.has_part("wallet"));
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
    let wallet = checkout.part("wallet").text_content();
    assert_eq!(wallet.as_deref(), Some(record::WALLET));
}
