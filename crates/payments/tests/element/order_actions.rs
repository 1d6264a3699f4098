//! What the merchant does about the order of a payment for which money may have been sent.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

use crate::support::office::Office;
use crate::support::proxy::Reply;
use crate::support::shop::{LEDGER, Shop};
use crate::support::wait::{settled, until};

const SENT: &str = "DELETE /api/v1/payment/t-1/sent";
const RELEASE: &str = "POST /api/v1/payment/t-1/release";

/// What the proxy knows of the payments: two marks of the first one.
pub(crate) fn marked() -> serde_json::Value {
    json!({
        "payments": [{ "transactionId": "t-1", "notifiedAt": null, "sent": 2 }],
        "reconciling": [],
    })
}

pub(crate) async fn opened(shop: &Shop) -> (Office, Element) {
    let office = Office::ready(shop).await;
    until("the ledger is read", || !shop.proxy.sent(LEDGER).is_empty()).await;
    let dialog = office.open_details("INV-1").await;
    settled().await;
    (office, dialog)
}

fn focused(office: &Office) -> Option<String> {
    let focused = office.focused()?;
    focused.get_attribute("part").or(focused.text_content())
}

#[wasm_bindgen_test]
async fn the_merchant_removes_the_marks_of_a_payment() {
    let shop = Shop::with(1);
    shop.set_ledger(&marked());
    let (office, dialog) = opened(&shop).await;
    let said = dialog.text_content().unwrap();
    assert!(
        said.contains("Money may have been sent for this payment"),
        "{said}"
    );

    office.focus_and_press("remove-marks");
    office.until_part("confirm-order").await;
    settled().await;
    assert_eq!(
        focused(&office).as_deref(),
        Some("keep-order"),
        "the safe choice"
    );
    office.press_part("keep-order");
    office.until_part("remove-marks").await;
    settled().await;
    assert_eq!(shop.proxy.sent(SENT).len(), 0);

    office.press_part("remove-marks");
    office.until_part("confirm-order").await;
    shop.proxy.reply(SENT, Reply::Answer(204, String::new()));
    shop.set_ledger(
        &json!({ "payments": [{ "transactionId": "t-1", "notifiedAt": null }], "reconciling": [] }),
    );
    office.press_part("confirm-order");
    office.until_shown("The note is removed.").await;
    until("nothing is offered", || !office.has_part("release")).await;
    settled().await;
    assert_eq!(shop.proxy.sent(SENT)[0].body, "{}", "all marks");
    assert_eq!(focused(&office).as_deref(), Some("The note is removed."));
    assert!(
        !dialog
            .text_content()
            .unwrap()
            .contains("Money may have been sent")
    );
}

#[wasm_bindgen_test]
async fn the_merchant_releases_an_order() {
    let shop = Shop::with(2);
    shop.set_ledger(&marked());
    let (office, dialog) = opened(&shop).await;
    office.press_part("release");
    office
        .until_shown("Nothing is sent to the payment service")
        .await;
    shop.proxy
        .reply(RELEASE, Reply::problem(404, "payment-unknown"));
    office.press_part("confirm-order");
    office
        .until_shown("It was not done: Detail of payment-unknown.")
        .await;

    office.press_part("release");
    office.until_part("confirm-order").await;
    shop.proxy.reply(RELEASE, Reply::Answer(204, String::new()));
    office.press_part("confirm-order");
    office.until_shown("The order is released.").await;
    assert_eq!(shop.proxy.sent(RELEASE).len(), 2);
    assert!(dialog.query_selector("[role=status]").unwrap().is_some());

    // Nothing of it is offered for another payment.
    office.press_part("close");
    settled().await;
    office.open_details("INV-2").await;
    settled().await;
    assert!(!office.has_part("release") && !office.has_part("remove-marks"));
}
