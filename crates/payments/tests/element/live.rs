//! New payments from the proxy's stream, and a stream that breaks.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Event, EventInit};

use crate::support::clock;
use crate::support::mounted::is_seen;
use crate::support::office::Office;
use crate::support::shop::{Shop, record};
use crate::support::stream::{Stream, asked, open_one};
use crate::support::wait::{settled, until};

/// The delay after a stream was lost for the first time, in milliseconds.
const FIRST_WAIT: f64 = 1_000.0;

/// Dispatches a pointer event on the element.
fn point(office: &Office, event: &str) {
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
    office.focus_in_row("INV-2", "[part=cancel]");
    shop.add([record(5)]);
    shop.send("created", "2", &record(5).to_string());
    office.until_part("show-new").await;
    settled().await;
    assert_eq!(office.invoices().len(), 4);
    // It moves to another button, and the pointer passes over the table.
    office.focus_in_row("INV-1", "[part=cancel]");
    point(&office, "pointerenter");
    point(&office, "pointerleave");
    settled().await;
    assert_eq!(office.invoices().len(), 4, "the rows are where they were");
    let button = office.focus_in_row("INV-2", "[part=cancel]");
    let has_focus = || office.focused().as_ref() == Some(button.as_ref());
    assert!(has_focus());
    office.press_part("show-new");
    office.shows(5, 1).await;
    assert!(has_focus(), "its row was there before");

    // The button passes its own focus on.
    shop.add([record(6)]);
    shop.send("created", "3", &record(6).to_string());
    office.until_part("show-new").await;
    office.focus_and_press("show-new");
    office.shows(6, 1).await;
    office.until_focused("#payments").await;
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
async fn a_changed_payment_has_its_status_which_takes_the_focus_of_the_cancel_button() {
    let shop = Shop::with(4);
    let office = Office::streaming(&shop).await;
    office.shows(4, 1).await;
    for (number, change, text) in [
        (3, json!({ "state": "paid" }), "Paid: Created"),
        (2, json!({ "state": "closed" }), "Closed: Created"),
        (
            1,
            json!({ "statusId": "4", "statusText": "Paid in full" }),
            "Paid in full",
        ),
    ] {
        let invoice = format!("INV-{number}");
        let cancel = office.focus_in_row(&invoice, "[part=cancel]");
        let mut changed = record(number);
        for (field, value) in change.as_object().unwrap() {
            changed[field] = value.clone();
        }
        shop.send("status", &number.to_string(), &changed.to_string());
        let status = || office.in_row(&invoice, ".status").unwrap();
        until("the status has the focus", || {
            office.focused().as_ref() == Some(status().as_ref())
        })
        .await;
        assert_eq!(status().text_content().as_deref(), Some(text));
        assert!(!is_seen(&cancel), "{text}");
        let state = change["state"].as_str();
        assert_eq!(status().get_attribute("data-state").as_deref(), state);
        let sign = office.in_row(&invoice, ".status svg");
        assert_eq!(sign.is_some(), state.is_some(), "{text}");
    }
    let details = office.details_of("tender-status");
    assert_eq!(details[0]["previous"]["statusText"], "Created");
    assert!(office.in_row("INV-4", "[part=cancel]").is_some());
    assert!(office.in_row("INV-4", ".status svg").is_none());
}
