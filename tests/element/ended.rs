//! A payment that the proxy says to be paid or closed: the page asks for no more money, after a reload, too.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::attributes::signed;
use crate::support::accessibility::name;
use crate::support::checkout::Checkout;
use crate::support::clipboard;
use crate::support::mounted::is_seen;
use crate::support::proxy::{CREATE, Proxy, Reply, status};
use crate::support::record;
use crate::support::wait::settled;

/// A checkout whose payment the proxy says to be in this state.
async fn ended(proxy: &Proxy, status_text: &str, state: &str) -> Checkout {
    let checkout = Checkout::awaiting(proxy, Some("receipt-7")).await;
    checkout.fetch(proxy, record::with_state(status_text, state));
    checkout.until_event(&format!("tender-{state}")).await;
    settled().await;
    checkout
}

/// Nothing on the page asks for money, or says where to send it.
fn asks_for_nothing(checkout: &Checkout) {
    let text = checkout.text();
    assert!(
        !text.contains("Send exactly") && !text.contains(record::WALLET),
        "{text}"
    );
    for part in ["wallet", "qr", "pay-with", "cancel", "change", "copy"] {
        assert!(!checkout.has_part(part), "{part}: {text}");
    }
}

#[wasm_bindgen_test]
async fn a_paid_payment_is_finished() {
    let proxy = Proxy::new();
    let checkout = ended(&proxy, "Completed", "paid").await;
    asks_for_nothing(&checkout);
    assert_eq!(checkout.names("region"), ["Payment"]);
    assert_eq!(checkout.names("heading"), ["Payment received"]);
    let amount = checkout.part("amount");
    assert_eq!(amount.text_content().unwrap(), "0.00012345 BTC");
    assert_eq!(
        amount.get_attribute("data-value").as_deref(),
        Some("0.00012345")
    );
    assert_eq!(
        checkout.part("network").text_content().unwrap(),
        "on Bitcoin"
    );
    assert_eq!(checkout.part("invoice").text_content().unwrap(), "INV-7");
    assert_eq!(checkout.part("status").text_content().unwrap(), "Completed");
    let announced = checkout.role("status")[0].text_content().unwrap();
    assert!(announced.contains("Payment received"), "{announced}");
    assert!(checkout.names("button").is_empty());
    assert!(!checkout.has_part("explorer"), "no transaction is known");
    assert_eq!(
        checkout.details_of("tender-paid")[0]["payment"]["state"],
        json!("paid")
    );
    assert_eq!(
        checkout.event_names(),
        [
            "tender-ready",
            "tender-created",
            "tender-status",
            "tender-paid"
        ]
    );
}

#[wasm_bindgen_test]
async fn a_paid_payment_links_to_its_transaction() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let hash = "ab".repeat(32);
    checkout.paste_hash(&hash);
    settled().await;
    checkout.fetch(&proxy, record::with_state("Completed", "paid"));
    checkout.until_shown("Payment received").await;
    let link = checkout.part("explorer");
    assert_eq!(
        link.get_attribute("href"),
        Some(format!("https://mempool.space/tx/{hash}"))
    );
    assert_eq!(name(&link), "See the transaction on mempool.space");
}

/// As in the first tab after another tab has replaced the payment: the service keeps "Created".
#[wasm_bindgen_test]
async fn a_closed_payment_says_what_to_do_and_lets_the_buyer_start_again() {
    let proxy = Proxy::new();
    let checkout = ended(&proxy, "Created", "closed").await;
    asks_for_nothing(&checkout);
    assert_eq!(checkout.names("heading"), ["This payment is closed"]);
    assert!(
        checkout
            .text()
            .contains("do not pay again: contact the shop and name INV-7")
    );
    assert_eq!(checkout.part("status").text_content().unwrap(), "Created");
    drop(checkout);

    proxy.reply(
        &status(),
        Reply::ok(record::with_state("Created", "closed")),
    );
    let again = Checkout::reopen(&proxy, &[]);
    again.until_shown("This payment is closed").await;
    asks_for_nothing(&again);
    settled().await;
    assert!(again.event_names().is_empty(), "{:?}", again.event_names());

    again.press("Start a new payment");
    again.until_ready().await;
    assert_eq!(again.chosen().as_deref(), Some("btc"));
    again.submit(&proxy, record::payment(None)).await;
    let sent = proxy.sent(CREATE);
    assert_ne!(
        sent[0].idempotency_key, sent[1].idempotency_key,
        "it is a new attempt"
    );
}

#[wasm_bindgen_test]
async fn a_buyer_who_has_sent_money_to_a_closed_payment_is_not_asked_to_pay_again() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    checkout.paste_hash(&"ab".repeat(32));
    settled().await;
    checkout.fetch(&proxy, record::with_state("Expired", "closed"));
    checkout
        .until_shown("You have sent a transaction to this payment")
        .await;
    asks_for_nothing(&checkout);
    assert!(checkout.has_part("explorer"));
    assert_eq!(checkout.names("button"), ["Copy details for the shop"]);
}

/// The shop's own contact is shown only where a text asks the buyer to contact the shop.
#[wasm_bindgen_test]
async fn a_closed_payment_shows_how_to_reach_the_shop() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let contact = checkout.add_contact();
    assert!(!is_seen(&contact));

    checkout.fetch(&proxy, record::with_state("Expired", "closed"));
    checkout.until_shown("This payment is closed").await;
    settled().await;
    assert!(is_seen(&contact));
    checkout.press("Copy details for the shop");
    settled().await;
    let copied = clipboard::take().unwrap();
    assert!(
        copied.starts_with("invoiceNumber: INV-7\n") && copied.contains(record::WALLET),
        "{copied}"
    );
}

#[wasm_bindgen_test]
async fn a_signed_order_may_name_the_way_back_to_the_shop() {
    for (url, is_linked) in [
        ("https://shop.example/orders/7?paid=1", true),
        // The demo's shop.
        ("http://127.0.0.1:8080/orders/7", true),
        ("http://shop.example/", false),
        ("javascript:alert(1)", false),
    ] {
        let claims = json!({
            "token": "usdtt", "quantity": "12.50", "invoiceNumber": "INV-7", "returnUrl": url,
        });
        let order = signed(&claims);
        let proxy = Proxy::new();
        let attributes = [
            ("proxy", proxy.address()),
            ("order", &order),
            ("payment-token", "btc"),
        ];
        let checkout = Checkout::bare(&attributes);
        checkout.insert();
        checkout.until_ready().await;
        proxy.reply(CREATE, Reply::ok(record::with_state("Completed", "paid")));
        checkout.pay();
        checkout.until_shown("Payment received").await;
        assert_eq!(checkout.has_part("return"), is_linked, "{url}");
        if is_linked {
            let link = checkout.part("return");
            assert_eq!(name(&link), "Back to the shop");
            assert_eq!(link.get_attribute("href").as_deref(), Some(url));
        }
    }
}

#[wasm_bindgen_test]
async fn while_waiting_the_page_says_that_it_updates_by_itself() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    assert!(checkout.text().contains("This page updates by itself."));
    assert_eq!(checkout.part("status").text_content().unwrap(), "Created");
    checkout.fetch(&proxy, record::with_status("2", "Seen"));
    checkout.until_event("tender-status").await;
    settled().await;
    assert!(
        !checkout.text().contains("updates by itself"),
        "they may have paid"
    );

    // Nothing updates a page without a receipt.
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    assert!(!checkout.text().contains("updates by itself"));
}
