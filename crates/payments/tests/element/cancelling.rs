//! Cancelling: with a confirmation, and a result that comes from reading the list again.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlDialogElement, HtmlElement};

use crate::support::office::Office;
use crate::support::proxy::{CANCEL, Reply, Sent};
use crate::support::shop::Shop;
use crate::support::wait::{settled, until};

#[wasm_bindgen_test]
async fn several_payments_are_cancelled_and_failures_are_reported() {
    let shop = Shop::with(4);
    let office = Office::ready(&shop).await;
    for invoice in ["INV-4", "INV-2", "INV-1"] {
        office.pick(invoice);
    }
    office.until_part("cancel-selected").await;
    office.press("Cancel 3 selected");
    office.until_shown("Cancel these 3 payments?").await;
    let asked = office.part("dialog").text_content().unwrap();
    for named in ["INV-4", "INV-2", "INV-1", "150.25", "TRX"] {
        assert!(asked.contains(named), "{named}: {asked}");
    }
    assert!(!asked.contains("INV-3"));
    assert!(
        shop.proxy.sent(CANCEL).is_empty(),
        "nothing before it is meant"
    );

    let first = shop.proxy.hold(CANCEL);
    shop.proxy
        .reply(CANCEL, Reply::problem(502, "service-refused"));
    office.press("Yes, cancel");
    office.until_shown("Cancelling 0 of 3…").await;
    assert_eq!(shop.proxy.sent(CANCEL).len(), 1, "one after the other");
    // The response does not state the status; the list does.
    first.open(Reply::ok("[]"));
    office.until_shown("One of 3 was not accepted.").await;
    until("the focus is in the dialog", || {
        let focused = office.root().active_element();
        focused.is_some_and(|focused| focused.get_attribute("part").as_deref() == Some("close"))
    })
    .await;
    let outcomes: Vec<_> = office
        .parts("outcome")
        .iter()
        .map(|part| part.text_content().unwrap())
        .collect();
    assert_eq!(
        outcomes,
        [
            "The request was accepted, but the list still says: Created",
            "Not accepted: Detail of service-refused. The list says: Created",
            "The list now says: Cancelled",
        ]
    );
    let sent: Vec<_> = shop.proxy.sent(CANCEL).iter().map(Sent::json).collect();
    assert_eq!(
        sent,
        ["t-4", "t-2", "t-1"].map(|id| serde_json::json!({ "transactionId": id }))
    );
    office.press("Close");
    until(
        "the focus is not lost with the button that opened it",
        || {
            let focused = office.root().active_element();
            focused.is_some_and(|focused| focused.id() == "payments")
        },
    )
    .await;
    assert!(
        office
            .row("INV-1")
            .text_content()
            .unwrap()
            .contains("Cancelled")
    );
    assert_eq!(office.details_of("tender-status").len(), 1);
    assert!(!office.has_part("cancel-selected"));
}

#[wasm_bindgen_test]
async fn a_dismissed_confirmation_cancels_nothing() {
    let shop = Shop::with(2);
    let office = Office::ready(&shop).await;
    office.press("Cancel INV-2");
    office.until_shown("Cancel this payment?").await;
    office.press("Keep");
    settled().await;
    assert!(!office.text().contains("Cancel this payment?"));
    assert!(shop.proxy.sent(CANCEL).is_empty());
    assert_eq!(shop.status("t-2"), "Created");
}

/// A browser closes a dialog that has prevented closing once (HTML, "close requests and close watchers"); here, the
/// page does the same.
#[wasm_bindgen_test]
async fn the_dialog_stays_open_while_requests_are_running() {
    let shop = Shop::with(2);
    let office = Office::ready(&shop).await;
    office.press("Cancel INV-2");
    office.until_shown("Cancel this payment?").await;
    let answer = shop.proxy.hold(CANCEL);
    office.press("Yes, cancel");
    office.until_shown("Cancelling 0 of 1…").await;
    let dialog: HtmlDialogElement = office.part("dialog").unchecked_into();
    dialog.close();
    assert!(!dialog.open());
    until("it is back", || {
        dialog.matches(":modal").unwrap() && office.text().contains("Cancelling 0 of 1…")
    })
    .await;
    answer.open(Reply::ok("[]"));
    office
        .until_shown("The request was accepted, but the list still says: Created")
        .await;
    // A result that has been read may be closed by any means.
    office.press("Close");
    until("it is closed", || !dialog.open()).await;
    settled().await;
    assert!(!dialog.open());
}

#[wasm_bindgen_test]
async fn the_focus_moves_into_the_dialog_and_back() {
    let shop = Shop::with(2);
    let office = Office::ready(&shop).await;
    let focus_is_on = |part: &str| {
        let focused = office.root().active_element();
        focused.is_some_and(|focused| focused.get_attribute("part").as_deref() == Some(part))
    };
    let button = office.row("INV-1").query_selector("[part=cancel]");
    let button: HtmlElement = button.unwrap().unwrap().unchecked_into();
    button.focus().unwrap();
    button.click();
    until("the focus is on what changes nothing", || {
        focus_is_on("keep")
    })
    .await;
    office.press("Yes, cancel");
    until("the focus is on what ends it", || focus_is_on("close")).await;
    office.press("Close");
    // The row has a different text now, and is the same element.
    office.until_shown("Cancelled").await;
    until("the focus is where it was", || {
        office.root().active_element().as_ref() == Some(button.unchecked_ref())
    })
    .await;
}
