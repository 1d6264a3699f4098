//! Several elements, several copies of the loader, and a strict policy of the page.

use js_sys::Reflect;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::developer::Console;
use crate::support::proxy::{CREATE, Proxy, Reply, TOKENS};
use crate::support::subject::SUBJECT;
use crate::support::wait::{settled, until};
use crate::support::walk::through_the_views;
use crate::support::{clock, loader, page, record};

#[wasm_bindgen_test]
async fn several_elements_share_one_request_for_the_tokens_and_one_stylesheet() {
    let proxy = Proxy::new();
    let checkouts: Vec<_> = (0..3).map(|_| Checkout::open(&proxy, &[])).collect();
    for checkout in &checkouts {
        checkout.until_ready().await;
        assert_eq!(checkout.role("radio").len(), 6);
    }
    assert_eq!(proxy.sent(TOKENS).len(), 1);
    let sheet = |checkout: &Checkout| {
        let sheets = Reflect::get(&checkout.root(), &"adoptedStyleSheets".into()).unwrap();
        Reflect::get_u32(&sheets, 0).unwrap()
    };
    assert!(sheet(&checkouts[0]).is_object());
    assert_eq!(sheet(&checkouts[2]), sheet(&checkouts[1]), "the very same");

    // The listing may have changed later.
    clock::fire(1_000.0);
    let later = Checkout::ready(&proxy, &[]).await;
    assert_eq!(proxy.sent(TOKENS).len(), 2);
    assert_eq!(later.role("radio").len(), 6);
}

#[wasm_bindgen_test]
async fn several_elements_are_independent() {
    let proxy = Proxy::new();
    let first = Checkout::ready(&proxy, &[]).await;
    let second = Checkout::ready(&proxy, &[("quantity", "99")]).await;
    let third = Checkout::bare(&[("proxy", "nowhere")]);
    third.insert();
    first.choose("Bitcoin, Bitcoin");
    second.choose("TRON, TRON");
    settled().await;
    assert_eq!(
        first.chosen().as_deref(),
        Some("btc"),
        "each has a radio group of its own"
    );
    assert_eq!(second.chosen().as_deref(), Some("trx"));
    until("the third shows its fallback", || third.shows_fallback()).await;
    assert!(!first.shows_fallback());

    first.submit(&proxy, record::payment(None)).await;
    assert!(!second.has_part("amount"));
    assert_eq!(second.text_of("price"), "99.00 USDT");
    assert_eq!(second.event_names(), ["tender-ready"]);

    first.remove();
    settled().await;
    second.choose("Bitcoin, Bitcoin");
    settled().await;
    assert_eq!(second.chosen().as_deref(), Some("btc"));
}

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
        assert!(other.text().contains("You chose another token"));
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

/// The first press is not answered yet.
#[wasm_bindgen_test]
async fn a_press_in_each_of_two_elements_is_one_attempt() {
    let proxy = Proxy::new();
    let elements = [
        Checkout::ready(&proxy, &[]).await,
        Checkout::reopen(&proxy, &[]),
    ];
    elements[1].until_ready().await;
    let mut creations = Vec::new();
    for element in &elements {
        creations.push(proxy.hold(CREATE));
        element.choose("Bitcoin, Bitcoin");
        element.pay();
        element.until_shown("Preparing").await;
    }
    for creation in creations {
        creation.open(Reply::ok(record::payment(None)));
    }
    for element in &elements {
        element.until_part("amount").await;
        assert!(!element.text().contains("You chose another token"));
    }
    let keys = keys(&proxy);
    assert_eq!(keys, [&*keys[0], &keys[0]]);
}

#[wasm_bindgen_test]
async fn a_second_copy_of_the_loader_warns_and_yields() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    let console = Console::listen("warn");
    loader::run_after(&page::document(), &checkout.element, &SUBJECT.script());
    let lines = console.lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("registered already"), "{lines:?}");
    assert!(lines[0].contains(env!("CARGO_PKG_VERSION")), "{lines:?}");
    settled().await;
    assert!(checkout.has_part("amount"));
    Checkout::ready(&proxy, &[]).await;
}

/// As a strict policy of the page requires.
#[wasm_bindgen_test]
async fn there_is_no_inline_style_in_any_view() {
    let proxy = Proxy::new();
    through_the_views(&proxy, |checkout, view| {
        assert!(checkout.all("[style], style").is_empty(), "{view}");
        assert!(!checkout.element.has_attribute("style"), "{view}");
    })
    .await;
}
