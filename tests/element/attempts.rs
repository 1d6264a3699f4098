//! A repeated request does not create a second payment: the proxy identifies the attempt by its key.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::developer::Console;
use crate::support::proxy::{CREATE, Proxy};
use crate::support::record;

/// The keys of all create requests.
fn keys(proxy: &Proxy) -> Vec<String> {
    let sent = proxy.sent(CREATE);
    let keys = sent.into_iter().map(|sent| sent.idempotency_key.unwrap());
    keys.collect()
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
        assert_eq!(other.text_of("wallet"), record::WALLET);
    }
    assert_eq!(keys(&proxy).len(), 1);

    // Where it is gone, another one can be made.
    drop((first, second));
    let other = Checkout::ready(&proxy, &[]).await;
    other.choose("Bitcoin, Bitcoin");
    other.submit(&proxy, record::payment(None)).await;
    let keys = keys(&proxy);
    assert_eq!(keys.len(), 2);
    assert_ne!(keys[0], keys[1]);
    for key in keys {
        // A structured string (RFC 9651).
        let inside = key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
        assert!(inside.unwrap().len() >= 32, "at least 128 bits: {key}");
    }
}
