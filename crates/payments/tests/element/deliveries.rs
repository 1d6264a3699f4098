//! Notifications to the shop's backend.

use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::support::clock;
use crate::support::office::Office;
use crate::support::proxy::{Reply, Sent};
use crate::support::shop::{DELIVERIES, RESEND, Shop};
use crate::support::wait::{settled, until};

/// The time until the notifications are requested again, in milliseconds.
const WAIT: f64 = 3_000.0;

/// A notification of the first payment.
fn delivery(state: &str, answer: &str) -> Value {
    let mut delivery = json!({
        "id": "d-1", "type": "payment.paid", "transactionId": "t-1", "state": state, "tries": 3,
        "writtenAt": "2026-11-21T10:00:00Z", "answer": answer, "answeredAt": "2026-11-21T10:00:01Z",
    });
    if state == "waiting" {
        delivery["dueAt"] = json!("2026-11-21T10:00:06Z");
    }
    delivery
}

const SUMMARY: &str = "[part=notifications]";

async fn opened(office: &Office) -> HtmlElement {
    until("the row tells", || {
        office.in_row("INV-1", SUMMARY).is_some()
    })
    .await;
    let button = office.focus_in_row("INV-1", SUMMARY);
    button.click();
    office.until_part("delivery").await;
    button
}

#[wasm_bindgen_test]
async fn a_proxy_without_notifications_shows_nothing() {
    for has_route in [false, true] {
        let shop = Shop::with(2);
        if has_route {
            shop.set_deliveries(&[]);
        }
        let office = Office::ready(&shop).await;
        until("it was asked", || !shop.proxy.sent(DELIVERIES).is_empty()).await;
        settled().await;
        assert!(!office.has_part("notifications"), "{has_route}");
    }
}

#[wasm_bindgen_test]
async fn a_notification_is_sent_again_and_followed_until_it_is_delivered() {
    let shop = Shop::with(2);
    shop.set_deliveries(&[delivery("given-up", "503 Service Unavailable")]);
    shop.proxy.serve(RESEND, |_| Reply::ok(r#"{"resent":1}"#));
    let office = Office::ready(&shop).await;
    let button = opened(&office).await;
    assert!(office.in_row("INV-2", SUMMARY).is_none(), "it has none");
    let text = || office.text_of("details-dialog");
    assert_eq!(button.text_content().unwrap(), "Your shop: not notified");
    assert_eq!(
        button.get_attribute("aria-label").unwrap(),
        "Your shop: not notified: INV-1"
    );
    for words in [
        "Payment INV-1",
        "The shop has not accepted a notification",
        "payment.paid",
        "Given up",
        "Tries3",
        "Last answer503 Service Unavailable",
    ] {
        assert!(text().contains(words), "{words}: {}", text());
    }
    let resend = office.part("resend");
    assert_eq!(
        resend.get_attribute("aria-label").unwrap(),
        "Send again: payment.paid"
    );

    let again = shop.proxy.hold(RESEND);
    shop.set_deliveries(&[delivery("waiting", "503 Service Unavailable")]);
    office.focus_and_press("resend");
    until("it can't be pressed twice", || {
        resend.get_attribute("aria-disabled").as_deref() == Some("true")
    })
    .await;
    office.press_part("resend");
    again.open(Reply::ok(r#"{"resent":1}"#));
    office.until_shown("This list updates by itself.").await;
    assert!(
        text().contains("Waiting") && text().contains("Next try"),
        "{}",
        text()
    );
    let sent: Vec<_> = shop.proxy.sent(RESEND).iter().map(Sent::json).collect();
    assert_eq!(sent, [json!({ "ids": ["d-1"], "givenUp": false })]);
    assert_eq!(office.focused(), Some(resend), "the focus stays");

    shop.set_deliveries(&[delivery("delivered", "204 No Content")]);
    until("it waits", || clock::held(WAIT) > 0).await;
    clock::fire(WAIT);
    office
        .until_shown("The shop has received all notifications.")
        .await;
    assert!(
        text().contains("Delivered") && !text().contains("Next try"),
        "{}",
        text()
    );
    office.press("Close");
    until("the focus is back", || {
        office.focused().as_ref() == Some(button.as_ref())
    })
    .await;
    assert_eq!(button.text_content().unwrap(), "Your shop: notified");
}

#[wasm_bindgen_test]
async fn a_failure_is_an_alert() {
    let shop = Shop::with(1);
    shop.set_deliveries(&[delivery("given-up", "410 Gone")]);
    shop.proxy.serve(RESEND, |_| Reply::problem(503, "busy"));
    let office = Office::ready(&shop).await;
    opened(&office).await;
    office.press_part("resend");
    office
        .until_shown("It can't be sent again: Detail of busy.")
        .await;
    let alert = office.part("details-dialog").query_selector("[role=alert]");
    assert!(alert.unwrap().is_some());
    assert!(office.has_part("delivery"), "the list stays");
}
