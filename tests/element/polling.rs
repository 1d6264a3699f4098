//! How a payment is followed: the proxy's stream, looks at the status, and a hidden page.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{Proxy, Reply, status};
use crate::support::stream::{self, asked, count_open, open_one};
use crate::support::wait::{settled, until};
use crate::support::{Replaced, clock, record, sight};

/// The first look after the status of a new payment, and the one that a stream leaves, come after
/// so many milliseconds.
const FIRST_LOOK: f64 = 5_000.0;
const LAST_LOOK: f64 = 60_000.0;

const RECEIPT: &str = "receipt+7";

async fn listening() -> (Proxy, Checkout) {
    let proxy = Proxy::new();
    stream::offer(&proxy);
    let checkout = Checkout::awaiting(&proxy, Some(RECEIPT)).await;
    (proxy, checkout)
}

#[wasm_bindgen_test]
async fn a_status_that_the_stream_brings_is_shown_and_told() {
    let (proxy, checkout) = listening().await;
    let open = open_one(&proxy);
    assert_eq!(
        open.url(),
        format!("{}/api/v1/payment/{}/events", proxy.address(), record::ID)
    );
    assert_eq!(
        open.authorization(),
        Some(format!("Bearer {RECEIPT}")),
        "the receipt is in a header, not in the URL"
    );
    open.say(&record::with_status("4", "In the mempool"));
    checkout.until_shown("In the mempool").await;
    assert_eq!(
        checkout.part("status").text_content().unwrap(),
        "In the mempool"
    );
    assert_eq!(checkout.details_of("tender-status").len(), 1);
    assert!(proxy.sent(&status()).is_empty(), "the stream is enough");
}

#[wasm_bindgen_test]
async fn a_page_that_resets_the_element_in_the_middle_of_an_event_does_no_harm() {
    use wasm_bindgen::prelude::*;
    let (proxy, checkout) = listening().await;
    let element = checkout.element.clone();
    let listener = Closure::<dyn FnMut()>::new(move || {
        let reset: js_sys::Function = js_sys::Reflect::get(&element, &"reset".into())
            .unwrap()
            .unchecked_into();
        reset.call0(&element).unwrap();
    });
    checkout
        .element
        .add_event_listener_with_callback("tender-closed", listener.as_ref().unchecked_ref())
        .unwrap();
    let open = open_one(&proxy);
    open.say(&record::with_state("Expired", "closed"));
    settled().await;
    assert!(!open.is_open());
    checkout.until_ready().await;
}

#[wasm_bindgen_test]
async fn without_a_stream_the_status_is_looked_after() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some(RECEIPT)).await;
    settled().await;
    proxy.reply(&status(), Reply::ok(record::with_status("4", "Seen")));
    clock::fire(FIRST_LOOK);
    checkout.until_shown("Seen").await;
    assert_eq!(
        asked(&proxy).len(),
        1,
        "a stream that is refused is asked for once"
    );
    assert_eq!(count_open(), 0);
    assert_eq!(
        checkout.event_names(),
        ["tender-ready", "tender-created", "tender-status"]
    );
}

#[wasm_bindgen_test]
async fn a_stream_that_is_lost_is_followed_by_a_look_and_opened_again() {
    let (proxy, checkout) = listening().await;
    let first = open_one(&proxy);
    first.say(&record::payment(None));
    settled().await;
    let rare = clock::held(LAST_LOOK);
    assert!(rare >= 1, "looks are rare while the stream speaks");
    first.lose();
    settled().await;
    assert!(!first.is_open(), "the browser does not connect by itself");
    assert_eq!(clock::held(LAST_LOOK), rare - 1);

    proxy.reply(&status(), Reply::ok(record::with_status("4", "Seen")));
    clock::fire(FIRST_LOOK);
    checkout.until_shown("Seen").await;
    open_one(&proxy).say(&record::with_status("5", "Paid"));
    checkout.until_shown("Paid").await;
}

#[wasm_bindgen_test]
async fn a_hidden_page_rests_and_looks_at_once_when_it_is_seen() {
    let (proxy, checkout) = listening().await;
    sight::hide();
    assert_eq!(count_open(), 0);
    clock::fire(FIRST_LOOK);
    settled().await;
    assert!(proxy.sent(&status()).is_empty(), "the page is hidden");

    proxy.reply(&status(), Reply::ok(record::with_status("4", "Seen")));
    sight::show();
    checkout.until_shown("Seen").await;
    assert_eq!(proxy.sent(&status()).len(), 1);
    open_one(&proxy);

    // Out of the back/forward cache, and with the network back: the same.
    for event in ["pageshow", "online"] {
        let before = proxy.sent(&status()).len();
        sight::say_to_window(event);
        settled().await;
        assert_eq!(proxy.sent(&status()).len(), before + 1, "{event}");
    }
}

#[wasm_bindgen_test]
async fn following_ends_with_the_element() {
    let (proxy, checkout) = listening().await;
    let (open, names) = (open_one(&proxy), checkout.event_names());
    checkout.remove();
    settled().await;
    assert!(!open.is_open());
    open.say(&record::with_status("4", "Seen"));
    for event in ["visibilitychange", "pageshow", "online"] {
        sight::say_to_window(event);
    }
    clock::fire(FIRST_LOOK);
    clock::fire(LAST_LOOK);
    settled().await;
    assert_eq!(checkout.event_names(), names);
    assert!(proxy.sent(&status()).is_empty());
}

#[wasm_bindgen_test]
async fn a_stream_ends_with_the_element_even_if_fetch_ignores_the_signal() {
    let fetch = "(request, init) =>
        original(new Request(request, { ...init, signal: new AbortController().signal }))";
    let replaced = Replaced::new("window", "fetch", fetch);
    let (proxy, checkout) = listening().await;
    let open = open_one(&proxy);
    checkout.remove();
    settled().await;
    open.say(&record::with_status("4", "Seen"));
    until("the stream is closed", || !open.is_open()).await;
    drop(replaced);
}

#[wasm_bindgen_test]
async fn a_record_that_contradicts_the_payment_hides_where_to_send_money() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let other = record::with_state("Completed", "paid").replace("0.00012345", "0.00012346");
    checkout.fetch(&proxy, other);
    checkout.until_shown("The payment details changed").await;
    settled().await;
    for part in ["amount", "wallet", "qr", "copy"] {
        assert!(!checkout.has_part(part), "{part}: {}", checkout.text());
    }
    assert_eq!(checkout.part("status").text_content().unwrap(), "Created");
    assert_eq!(checkout.role("alert").len(), 1);
    assert_eq!(
        checkout.details_of("tender-error")[0]["code"],
        "record-mismatch"
    );
    assert!(
        checkout.details_of("tender-status").is_empty()
            && checkout.details_of("tender-paid").is_empty()
    );

    checkout.fetch(&proxy, record::with_status("1", "Created"));
    checkout.until_part("wallet").await;
    assert!(checkout.role("alert").is_empty());
}
