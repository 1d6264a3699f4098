//! Cancelling: with a confirmation, and a result that comes from reading the list again.

use serde_json::json;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlDialogElement;

use crate::support::mounted::is_seen;
use crate::support::office::Office;
use crate::support::proxy::{CANCEL, Reply, Sent};
use crate::support::shop::{Shop, record};
use crate::support::wait::{settled, until};

#[wasm_bindgen_test]
async fn several_payments_are_cancelled_and_failures_are_reported() {
    let shop = Shop::with(4);
    let office = Office::ready(&shop).await;
    let row = office.row("INV-1");
    for invoice in ["INV-4", "INV-2", "INV-1"] {
        office.in_row(invoice, "input").unwrap().click();
    }
    office.until_part("cancel-selected").await;
    office.press("Cancel 3 selected");
    office.until_shown("Cancel these 3 payments?").await;
    let asked = office.text_of("dialog");
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
    until("one is sent", || !shop.proxy.sent(CANCEL).is_empty()).await;
    settled().await;
    assert_eq!(shop.proxy.sent(CANCEL).len(), 1, "one after the other");
    // The response does not state the status; the list does.
    first.open(Reply::ok("[]"));
    office.until_shown("One of 3 was not accepted.").await;
    office.until_shown("1 of 3 cancelled").await;
    office.until_focused("[part=close]").await;
    let outcomes: Vec<_> = office
        .parts("outcome")
        .iter()
        .map(|part| part.text_content().unwrap())
        .collect();
    assert_eq!(
        outcomes,
        [
            "The request was accepted, but the status is still: Created",
            "Not accepted: Detail of service-refused. Status: Created",
            "Status: Cancelled",
        ]
    );
    let sent: Vec<_> = shop.proxy.sent(CANCEL).iter().map(Sent::json).collect();
    assert_eq!(
        sent,
        ["t-4", "t-2", "t-1"].map(|id| serde_json::json!({ "transactionId": id }))
    );
    office.press("Close");
    // The button that opened it is gone.
    office.until_focused("#payments").await;
    // The row has a different text now, and is the same element.
    assert_eq!(office.row("INV-1"), row);
    assert!(row.text_content().unwrap().contains("Cancelled"));
    assert!(!is_offered(&office, "INV-1", "[part=cancel]"));
    assert_eq!(office.details_of("tender-status").len(), 1);
    assert!(!office.has_part("cancel-selected"));
}

fn is_offered(office: &Office, invoice: &str, control: &str) -> bool {
    office
        .in_row(invoice, control)
        .is_some_and(|control| is_seen(&control))
}

/// A browser closes a dialog that has prevented closing once (HTML, "close requests and close watchers"); here, the
/// page does the same.
#[wasm_bindgen_test]
async fn the_dialog_is_not_dismissed_while_requests_are_running() {
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
        .until_shown("The request was accepted, but the status is still: Created")
        .await;
    // A result that has been read may be closed by any means.
    office.press("Close");
    until("it is closed", || !dialog.open()).await;
    settled().await;
    assert!(!dialog.open());
}

/// Money may be on its way: the proxy would refuse, too.
#[wasm_bindgen_test]
async fn only_payments_that_are_as_created_can_be_selected_and_cancelled() {
    let shop = Shop::with(1);
    for (number, status) in [(2, "Confirming"), (3, "Completed")] {
        let mut other = record(number);
        other["statusId"] = json!(number.to_string());
        other["statusText"] = json!(status);
        shop.add([other]);
    }
    let office = Office::ready(&shop).await;
    let controls = |invoice| {
        let is_offered = |control| is_offered(&office, invoice, control);
        (is_offered("input"), is_offered("[part=cancel]"))
    };
    assert_eq!(
        ["INV-3", "INV-2", "INV-1"].map(controls),
        [(false, false), (false, false), (true, true)]
    );
    office.first("thead input").click();
    office.until_shown("Cancel the selected payment").await;
    // Its status moves on while it is selected.
    shop.set_status("t-1", ("2", "Confirming"));
    office.press("Refresh");
    until("nothing can be cancelled", || {
        !office.has_part("cancel-selected") && controls("INV-1") == (false, false)
    })
    .await;
}
