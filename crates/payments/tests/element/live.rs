//! New payments from the proxy's stream, and a stream that breaks.

use serde_json::json;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Event, EventInit, HtmlElement};

use crate::support::clock;
use crate::support::mounted::Mounted;
use crate::support::office::Office;
use crate::support::shop::{Shop, record};
use crate::support::stream::{Stream, asked, open_one};
use crate::support::wait::{settled, until};

/// The delay after a stream was lost for the first time, in milliseconds.
const FIRST_WAIT: f64 = 1_000.0;
/// The interval between two polls without a stream.
const POLL: f64 = 15_000.0;

/// Dispatches a pointer event on the element.
fn point(office: &Mounted, event: &str) {
    let sheet = office.part("table").parent_element().unwrap();
    let event = Event::new_with_event_init_dict(event, &EventInit::new()).unwrap();
    sheet.dispatch_event(&event).unwrap();
}

fn top(office: &Office, invoice: &str) -> f64 {
    office.row(invoice).get_bounding_client_rect().top()
}

#[wasm_bindgen_test]
async fn a_new_payment_moves_no_row_while_the_merchant_uses_the_table() {
    let shop = Shop::with(3);
    let office = Office::streaming(&shop).await;
    office.shows(3, 1).await;
    settled().await;

    // The pointer is over the table.
    point(&office, "pointerenter");
    let before = top(&office, "INV-2");
    shop.add([record(4)]);
    shop.send("created", "1", &record(4).to_string());
    office.until_part("show-new").await;
    settled().await;
    assert_eq!(office.invoices(), ["INV-3", "INV-2", "INV-1"]);
    assert!((top(&office, "INV-2") - before).abs() < 0.5, "it has moved");
    assert_eq!(office.details_of("tender-created").len(), 1);
    point(&office, "pointerleave");
    office.shows(4, 1).await;
    assert!(!office.has_part("show-new"));

    // The focus is in the table, so a button shows the new payment.
    let row = office.row("INV-2");
    let button = row.query_selector("[part=cancel]").unwrap().unwrap();
    let button: HtmlElement = button.unchecked_into();
    button.focus().unwrap();
    shop.add([record(5)]);
    shop.send("created", "2", &record(5).to_string());
    office.until_part("show-new").await;
    settled().await;
    assert_eq!(office.invoices().len(), 4);
    let has_focus = || office.root().active_element().as_ref() == Some(button.unchecked_ref());
    assert!(has_focus());
    office.press_part("show-new");
    office.shows(5, 1).await;
    assert!(has_focus(), "its row was there before");
}

#[wasm_bindgen_test]
async fn the_button_for_new_payments_passes_its_focus_on() {
    let shop = Shop::with(3);
    let office = Office::streaming(&shop).await;
    point(&office, "pointerenter");
    shop.add([record(4)]);
    shop.send("created", "1", &record(4).to_string());
    office.until_part("show-new").await;
    let button: HtmlElement = office.part("show-new").unchecked_into();
    button.focus().unwrap();
    button.click();
    office.shows(4, 1).await;
    until("the heading has the focus", || {
        let focused = office.root().active_element();
        focused.is_some_and(|focused| focused.id() == "payments")
    })
    .await;
}

#[wasm_bindgen_test]
async fn a_changed_status_is_shown_in_its_row_and_takes_the_focus_of_its_button() {
    let shop = Shop::with(2);
    let office = Office::streaming(&shop).await;
    let button = office.row("INV-1").query_selector("[part=cancel]");
    let button: HtmlElement = button.unwrap().unwrap().unchecked_into();
    button.focus().unwrap();
    let mut paid = record(1);
    paid["statusId"] = json!("4");
    paid["statusText"] = json!("Paid in full");
    shop.send("status", "1", &paid.to_string());
    office.until_shown("Paid in full").await;
    let row = office.row("INV-1").text_content().unwrap();
    assert!(row.contains("Paid in full"), "{row}");
    // A payment in this status can't be cancelled.
    until("the focus is on the status", || {
        let focused = office.root().active_element();
        focused.is_some_and(|focused| focused.text_content().as_deref() == Some("Paid in full"))
    })
    .await;
    let details = office.details_of("tender-status");
    assert_eq!(details[0]["previous"]["statusText"], "Created");
}

#[wasm_bindgen_test]
async fn a_broken_stream_resumes_after_its_last_event() {
    let shop = Shop::with(1);
    let office = Office::streaming(&shop).await;
    shop.send("created", "epoch-41", &record(1).to_string());
    shop.add([record(2)]);
    shop.send("created", "epoch-42", &record(2).to_string());
    office.shows(2, 1).await;
    open_one(&shop.proxy).lose();
    until("it waits", || clock::held(FIRST_WAIT) > 0).await;
    assert_eq!(asked(&shop.proxy).len(), 1, "not at once");
    clock::fire(FIRST_WAIT);
    shop.until_streaming().await;
    let streams = asked(&shop.proxy);
    let ids = streams.iter().map(Stream::last_event_id);
    assert!(ids.eq([None, Some("epoch-42".to_owned())]));
    // An event during the poll that came with the new stream would wait for the next poll.
    settled().await;
    shop.add([record(3)]);
    shop.send("created", "epoch-43", &record(3).to_string());
    office.shows(3, 1).await;
}

#[wasm_bindgen_test]
async fn without_a_stream_the_list_is_polled() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    until("it waits", || clock::held(POLL) > 0).await;
    shop.add([record(2)]);
    settled().await;
    assert_eq!(office.invoices(), ["INV-1"]);
    clock::fire(POLL);
    office.shows(2, 1).await;
    assert_eq!(asked(&shop.proxy).len(), 1, "it is not asked for again");
}

#[wasm_bindgen_test]
async fn an_ended_payment_has_a_sign_and_no_cancel_button() {
    let shop = Shop::with(3);
    let office = Office::streaming(&shop).await;
    office.shows(3, 1).await;
    let find = |invoice: &str, selector: &str| {
        let row = office.row(invoice);
        row.query_selector(selector).unwrap()
    };
    let cancel: HtmlElement = find("INV-3", "[part=cancel]").unwrap().unchecked_into();
    cancel.focus().unwrap();

    for (number, state, meaning) in [
        (3, "paid", "Paid: Created"),
        (2, "closed", "Closed: Created"),
    ] {
        let mut changed = record(number);
        changed["state"] = json!(state);
        shop.send("status", &number.to_string(), &changed.to_string());
        let invoice = format!("INV-{number}");
        until("the cancel button is gone", || {
            find(&invoice, "[part=cancel]").is_none()
        })
        .await;
        let pill = find(&invoice, ".status").unwrap();
        assert_eq!(pill.text_content().as_deref(), Some(meaning));
        assert_eq!(pill.get_attribute("data-state").as_deref(), Some(state));
        assert!(pill.query_selector("svg").unwrap().is_some());
    }
    settled().await;
    let focused = office.root().active_element().unwrap();
    assert_eq!(
        Some(focused),
        find("INV-3", ".status"),
        "the focus is not lost"
    );
    assert!(find("INV-1", "[part=cancel]").is_some());
    assert!(find("INV-1", ".status svg").is_none());
}
