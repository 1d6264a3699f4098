//! The exact events that the shop's page receives.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{CustomEvent, ShadowRootInit, ShadowRootMode};

use crate::support::checkout::Checkout;
use crate::support::page;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::subject::SUBJECT;
use crate::support::wait::settled;

/// Each event with the detail of the contract. They bubble, and leave the shop's own shadow roots.
#[wasm_bindgen_test]
async fn the_page_receives_every_event() {
    let proxy = Proxy::new();
    let host = page::document().create_element("div").unwrap();
    page::body().append_child(&host).unwrap();
    let root = host
        .attach_shadow(&ShadowRootInit::new(ShadowRootMode::Closed))
        .unwrap();

    let heard = Rc::new(RefCell::new(Vec::new()));
    let listener = {
        let (heard, host) = (Rc::clone(&heard), host.clone());
        Closure::<dyn FnMut(CustomEvent)>::new(move |event: CustomEvent| {
            if event.target().as_ref() == Some(host.as_ref()) {
                heard.borrow_mut().push(event.type_());
            }
        })
    };
    let listener = listener.into_js_value();
    let events: Vec<_> = SUBJECT.events().into_keys().collect();
    for name in &events {
        page::body()
            .add_event_listener_with_callback(name, listener.unchecked_ref())
            .unwrap();
    }

    let checkout = Checkout::create(&proxy, &[("payment-token", "btc")]);
    let has_dispatched = async |name: &str| {
        checkout.until_event(name).await;
        settled().await;
        assert_eq!(checkout.details_of(name)[0], SUBJECT.recorded(name));
    };
    root.append_child(&checkout.element).unwrap();
    checkout.until_ready().await;
    has_dispatched("tender-ready").await;
    proxy.reply(CREATE, Reply::problem(403, "order-expired"));
    checkout.pay();
    has_dispatched("tender-error").await;
    checkout.press("Back");
    settled().await;
    let payment = || record::payment(Some("receipt-7"));
    checkout.submit(&proxy, payment()).await;
    has_dispatched("tender-created").await;
    let cancelled = record::list(&[record::with_status("9", "Cancelled")]);
    proxy.reply(CANCEL, Reply::ok(cancelled));
    checkout.cancel().await;
    has_dispatched("tender-cancelled").await;
    checkout.press("Start a new payment");
    checkout.until_ready().await;
    checkout.submit(&proxy, payment()).await;
    checkout.fetch(&proxy, record::with_status("2", "Partly paid"));
    has_dispatched("tender-status").await;
    let hash = "0123456789abcdef".repeat(4);
    checkout.paste_hash(&hash);
    checkout.paste_hash(&hash);
    has_dispatched("tender-transaction").await;
    for state in ["closed", "pending", "underpaid", "paid"] {
        checkout.fetch(&proxy, record::with_state("Ended", state));
        has_dispatched(&format!("tender-{state}")).await;
    }

    let names = checkout.event_names();
    assert!(events.iter().all(|name| names.contains(name)), "{names:?}");
    assert_eq!(checkout.details_of("tender-transaction").len(), 1);
    assert_eq!(*heard.borrow(), names);
    host.remove();
}
