//! Another token for the same order: the earlier payment is cancelled first.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::{settled, until};

#[wasm_bindgen_test]
async fn the_payment_before_is_named_and_cancelled_before_there_is_another() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    checkout.press("Use another token");
    checkout.until_ready().await;
    let notice = checkout.text_of("open-payment");
    assert!(notice.contains("0.00012345 BTC on Bitcoin"), "{notice}");
    assert!(notice.contains("go back to that payment"), "{notice}");

    checkout.choose("TRON, TRON");
    settled().await;
    checkout.pay();
    let failed =
        "It is not certain that your earlier payment was cancelled, so there is no new one.";
    checkout.until_shown(failed).await;
    assert_eq!(checkout.role("alert").len(), 1);

    let cancel = proxy.hold(CANCEL);
    checkout.press("Try again");
    until("the cancellation is sent", || proxy.sent(CANCEL).len() == 2).await;
    settled().await;
    assert_eq!(proxy.sent(CREATE).len(), 1, "only the payment before");
    assert!(!checkout.has_button("Back to the payment"));

    let other = record::payment(None).replace(record::ID, "another");
    proxy.reply(CREATE, Reply::ok(other));
    cancel.open(Reply::ok("[]"));
    checkout.until_part("amount").await;
    for sent in proxy.sent(CANCEL) {
        assert_eq!(sent.json()["transactionId"], record::ID);
        assert_eq!(sent.authorization.as_deref(), Some("Bearer receipt-7"));
    }
    assert_eq!(proxy.sent(CREATE)[1].json()["paymentToken"], "trx");
    assert_eq!(
        checkout.event_names(),
        [
            "tender-ready",
            "tender-created",
            "tender-ready",
            "tender-error",
            "tender-cancelled",
            "tender-created"
        ]
    );
}

#[wasm_bindgen_test]
async fn where_one_token_is_accepted_there_is_no_other() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("accept", "btc")]).await;
    checkout.submit(&proxy, record::payment(None)).await;
    assert!(!checkout.has_button("Use another token"));
}

/// As password managers and some browsers do.
#[wasm_bindgen_test]
async fn a_field_that_was_filled_without_an_event_is_read() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("ask", "email!")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    let field: HtmlInputElement = checkout.named("textbox", "E-mail").unchecked_into();
    field.set_value("ann@example.com");
    proxy.reply(CREATE, Reply::ok(record::payment(None)));
    checkout.press("Pay");
    checkout.until_part("amount").await;
    let sent = proxy.sent(CREATE)[0].json();
    assert_eq!(sent["purchaseEmail"], "ann@example.com");
}
