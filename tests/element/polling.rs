//! How a payment is followed: the proxy's stream, looks at the status, and a hidden page.

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Event, window};

use crate::support::checkout::Checkout;
use crate::support::mounted::call;
use crate::support::proxy::{Proxy, Reply, status};
use crate::support::stream::{self, count_open, open_one};
use crate::support::wait::{settled, until};
use crate::support::{Replaced, clock, record};

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

/// Hides the page, as when the user switches to another tab, or shows it again.
pub(crate) fn set_hidden(hidden: bool) {
    let set = Function::new_with_args(
        "value",
        "Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));",
    );
    set.call1(&JsValue::UNDEFINED, &hidden.into()).unwrap();
}

/// The page is restored from the back/forward cache, or is online again.
fn say_to_window(event: &str) {
    let event = Event::new(event).unwrap();
    window().unwrap().dispatch_event(&event).unwrap();
}

#[wasm_bindgen_test]
async fn a_status_that_the_stream_brings_is_shown_and_told() {
    let (proxy, checkout) = listening().await;
    let open = open_one(&proxy);
    let url = open.url();
    assert_eq!(
        url.split('?').next(),
        Some(&*format!(
            "{}/api/v1/payment/{}/events",
            proxy.address(),
            record::ID
        ))
    );
    assert_eq!(
        open.authorization(),
        Some(format!("Bearer {RECEIPT}")),
        "the receipt is in a header, not in the URL"
    );
    open.say(&record::with_status("4", "In the mempool"));
    checkout.until_shown("In the mempool").await;
    assert_eq!(checkout.text_of("status"), "In the mempool");
    assert_eq!(checkout.details_of("tender-status").len(), 1);
    assert!(proxy.sent(&status()).is_empty(), "the stream is enough");

    // The page may end the stream in the middle of an event.
    let element = checkout.element.clone();
    checkout.on("tender-closed", move |_| call(&element, "reset"));
    open.say(&record::with_state("Expired", "closed"));
    settled().await;
    assert!(!open.is_open());
    checkout.until_ready().await;
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
    set_hidden(true);
    assert_eq!(count_open(), 0);
    clock::fire(FIRST_LOOK);
    settled().await;
    assert!(proxy.sent(&status()).is_empty(), "the page is hidden");

    proxy.reply(&status(), Reply::ok(record::with_status("4", "Seen")));
    set_hidden(false);
    checkout.until_shown("Seen").await;
    assert_eq!(proxy.sent(&status()).len(), 1);
    open_one(&proxy);

    // Out of the back/forward cache, and with the network back: the same.
    for event in ["pageshow", "online"] {
        let before = proxy.sent(&status()).len();
        say_to_window(event);
        settled().await;
        assert_eq!(proxy.sent(&status()).len(), before + 1, "{event}");
    }
}

#[wasm_bindgen_test]
async fn following_ends_with_the_element_even_if_fetch_ignores_the_signal() {
    let without_signal = "(request, init) =>
        original(new Request(request, { ...init, signal: new AbortController().signal }))";
    for (fetch, ends_at_once) in [("original", true), (without_signal, false)] {
        let replaced = Replaced::new("window", "fetch", fetch);
        let (proxy, checkout) = listening().await;
        let (open, names) = (open_one(&proxy), checkout.event_names());
        checkout.remove();
        settled().await;
        assert_eq!(open.is_open(), !ends_at_once, "{fetch}");
        open.say(&record::with_status("4", "Seen"));
        until("the stream is closed", || !open.is_open()).await;
        for event in ["visibilitychange", "pageshow", "online"] {
            say_to_window(event);
        }
        clock::fire(FIRST_LOOK);
        clock::fire(LAST_LOOK);
        settled().await;
        assert_eq!(checkout.event_names(), names, "{fetch}");
        assert!(proxy.sent(&status()).is_empty(), "{fetch}");
        drop(replaced);
    }
}

#[wasm_bindgen_test]
async fn a_page_that_hears_nothing_says_since_when_until_it_does() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some(RECEIPT)).await;
    checkout.until_shown("This page updates by itself.").await;
    proxy.reply(&status(), Reply::problem(502, "service-failed"));
    for (number, wait) in [(1, 5_000.0), (2, 10_000.0), (3, 15_000.0)] {
        assert!(!checkout.text().contains("Not updated since"), "{number}");
        clock::fire(wait);
        until("the next look is planned", || {
            proxy.sent(&status()).len() == number && clock::held(wait + FIRST_LOOK) == 1
        })
        .await;
    }
    checkout.until_shown("Not updated since").await;
    let text = checkout.text();
    assert!(!text.contains("This page updates by itself."), "{text}");
    assert!(text.contains("Send exactly"), "it can be paid: {text}");
    let (_, since) = text.split_once("Not updated since ").unwrap();
    assert!(
        since.starts_with(|time: char| time.is_ascii_digit()),
        "{since}"
    );

    proxy.reply(&status(), Reply::ok(record::with_status("1", "Created")));
    clock::fire(20_000.0);
    checkout.until_shown("This page updates by itself.").await;
    assert!(!checkout.text().contains("Not updated since"));
}
