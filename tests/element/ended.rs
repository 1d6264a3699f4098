//! A payment that the proxy says to be paid or closed: the page asks for no more money, after a reload, too.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::accessibility::name;
use crate::support::checkout::Checkout;
use crate::support::clipboard;
use crate::support::mounted::is_seen;
use crate::support::proxy::{CREATE, Proxy, Reply, status};
use crate::support::record;
use crate::support::wait::settled;

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
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let announcement = checkout.first("[aria-live]");
    assert_eq!(announcement.text_content().unwrap(), "");
    checkout.fetch(&proxy, record::with_state("Completed", "paid"));
    checkout.until_event("tender-paid").await;
    settled().await;
    asks_for_nothing(&checkout);
    assert_eq!(checkout.names("region"), ["Payment"]);
    assert_eq!(checkout.names("heading"), ["Payment received"]);
    for (part, text) in [
        ("amount", "0.00012345 BTC"),
        ("network", "on Bitcoin"),
        ("invoice", "INV-7"),
        ("status", "Completed"),
    ] {
        assert_eq!(checkout.text_of(part), text);
    }
    let exact = checkout.attribute("amount", "data-value");
    assert_eq!(exact.as_deref(), Some("0.00012345"));
    // The element was there before, so that screen readers say what it says now.
    assert_eq!(announcement.text_content().unwrap(), "Payment received");
    assert!(announcement.is_connected());
    assert!(checkout.names("button").is_empty());
    assert!(!checkout.has_part("explorer"), "no transaction is known");
    let paid = &checkout.details_of("tender-paid")[0];
    assert_eq!(paid["payment"]["state"], "paid");
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
async fn an_ended_payment_links_to_its_transaction_and_asks_for_no_other() {
    let hash = "ab".repeat(32);
    for (status, state, said, buttons) in [
        ("Completed", "paid", "Payment received", &[][..]),
        (
            "Expired",
            "closed",
            "You have sent a transaction to this payment",
            &["Copy details for the shop"],
        ),
    ] {
        let proxy = Proxy::new();
        let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
        checkout.paste_hash(&hash);
        settled().await;
        checkout.fetch(&proxy, record::with_state(status, state));
        checkout.until_shown(said).await;
        asks_for_nothing(&checkout);
        assert_eq!(
            checkout.attribute("explorer", "href"),
            Some(format!("https://mempool.space/tx/{hash}"))
        );
        let link = name(&checkout.part("explorer"));
        assert_eq!(link, "See the transaction on mempool.space");
        assert_eq!(checkout.names("button"), buttons);
    }
}

/// As in the first tab after another tab has replaced the payment: the service keeps "Created".
#[wasm_bindgen_test]
async fn a_closed_payment_says_what_to_do_and_lets_the_buyer_start_again() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let contact = checkout.add_contact();
    assert!(!is_seen(&contact));
    checkout.fetch(&proxy, record::with_state("Created", "closed"));
    checkout.until_event("tender-closed").await;
    settled().await;
    asks_for_nothing(&checkout);
    // The shop's own contact is shown only where a text asks the buyer to contact the shop.
    assert!(is_seen(&contact));
    checkout.press("Copy details for the shop");
    settled().await;
    let copied = clipboard::take().unwrap();
    assert!(
        copied.starts_with("invoiceNumber: INV-7\n") && copied.contains(record::WALLET),
        "{copied}"
    );
    assert_eq!(checkout.names("heading"), ["This payment is closed"]);
    let hint = "do not pay again: contact the shop and name INV-7";
    checkout.until_shown(hint).await;
    assert_eq!(checkout.text_of("status"), "Created");
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
