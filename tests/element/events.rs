//! The exact events that the shop's page receives.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{CustomEvent, ShadowRootInit, ShadowRootMode};

use crate::support::checkout::Checkout;
use crate::support::page;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::subject::SUBJECT;
use crate::support::wait::settled;

/// The payment of [`record`] with the service's field names and decimal strings.
fn payment() -> Value {
    SUBJECT.recorded("tender-created")["payment"].take()
}

#[wasm_bindgen_test]
async fn ready_names_the_codes_on_offer() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    assert_eq!(
        checkout.details_of("tender-ready"),
        [SUBJECT.recorded("tender-ready")]
    );
    assert_eq!(checkout.event_names(), ["tender-ready"]);
}

#[wasm_bindgen_test]
async fn created_carries_the_payment() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    assert_eq!(
        checkout.details_of("tender-created"),
        [SUBJECT.recorded("tender-created")]
    );
    assert_eq!(checkout.event_names(), ["tender-ready", "tender-created"]);
}

#[wasm_bindgen_test]
async fn amounts_are_decimal_strings_whatever_the_number() {
    for (number, text) in [
        ("1e-8", "0.00000001"),
        ("0.00000001", "0.00000001"),
        ("123456789012.12345678", "123456789012.12345678"),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
    ] {
        let proxy = Proxy::new();
        let checkout = Checkout::ready(&proxy, &[]).await;
        checkout.choose("Bitcoin, Bitcoin");
        let payment = record::payment(None).replace("0.00012345", number);
        proxy.reply(CREATE, Reply::ok(payment));
        checkout.pay();
        checkout.until_event("tender-created").await;
        let detail = &checkout.details_of("tender-created")[0]["payment"];
        assert_eq!(detail["quantityPay"], text);
    }
}

#[wasm_bindgen_test]
async fn status_carries_the_payment_and_what_was_before() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    checkout.fetch(&proxy, record::with_status("2", "Partly paid"));
    checkout.until_event("tender-status").await;
    assert_eq!(
        checkout.details_of("tender-status"),
        [SUBJECT.recorded("tender-status")]
    );
}

#[wasm_bindgen_test]
async fn transaction_carries_the_hash_and_where_to_see_it_once() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    let hash = "0123456789abcdef".repeat(4);
    checkout.paste_hash(&hash);
    checkout.paste_hash(&hash);
    settled().await;
    assert_eq!(
        checkout.details_of("tender-transaction"),
        [SUBJECT.recorded("tender-transaction")]
    );
}

#[wasm_bindgen_test]
async fn cancelled_carries_the_record_of_the_answer_or_the_last_one_known() {
    let latest = record::with_status("9", "Cancelled");
    for (answer, expected) in [
        (
            record::list(&[latest]),
            SUBJECT.recorded("tender-cancelled"),
        ),
        ("[]".to_owned(), json!({ "payment": payment() })),
    ] {
        let proxy = Proxy::new();
        let checkout = Checkout::awaiting(&proxy, None).await;
        proxy.reply(CANCEL, Reply::ok(answer));
        checkout.press("Cancel payment");
        settled().await;
        checkout.press("Yes, cancel");
        checkout.until_event("tender-cancelled").await;
        assert_eq!(checkout.details_of("tender-cancelled"), [expected]);
    }
}

#[wasm_bindgen_test]
async fn error_carries_a_code_a_message_and_whether_to_try_again() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    checkout.choose("Bitcoin, Bitcoin");
    proxy.reply(CREATE, Reply::problem(403, "order-expired"));
    checkout.pay();
    checkout.until_event("tender-error").await;
    assert_eq!(
        checkout.details_of("tender-error"),
        [SUBJECT.recorded("tender-error")]
    );
}

#[wasm_bindgen_test]
async fn events_bubble_and_leave_the_shop_s_own_shadow_roots() {
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
    let document = page::document();
    let events: Vec<_> = SUBJECT.events().into_keys().collect();
    for name in &events {
        let listener = listener.as_ref().unchecked_ref();
        document
            .add_event_listener_with_callback(name, listener)
            .unwrap();
    }

    let checkout = Checkout::create(&proxy, &[("payment-token", "btc")]);
    root.append_child(&checkout.element).unwrap();
    checkout.until_ready().await;
    proxy.reply(CREATE, Reply::Lost);
    checkout.pay();
    checkout.until_event("tender-error").await;
    proxy.reply(CREATE, Reply::ok(record::payment(Some("receipt-7"))));
    settled().await;
    checkout.press("Try again");
    checkout.until_part("amount").await;
    proxy.reply(CANCEL, Reply::ok("[]"));
    checkout.press("Cancel payment");
    settled().await;
    checkout.press("Yes, cancel");
    checkout.until_event("tender-cancelled").await;
    settled().await;
    checkout.press("Start a new payment");
    checkout.until_ready().await;
    checkout
        .submit(&proxy, record::payment(Some("receipt-7")))
        .await;
    checkout.fetch(&proxy, record::with_status("2", "Seen"));
    checkout.until_event("tender-status").await;
    checkout.paste_hash(&"a".repeat(64));
    checkout.until_event("tender-transaction").await;
    for state in ["closed", "pending", "underpaid", "paid"] {
        checkout.fetch(&proxy, record::with_state("Ended", state));
        let name = format!("tender-{state}");
        checkout.until_event(&name).await;
        settled().await;
        assert_eq!(checkout.details_of(&name), [SUBJECT.recorded(&name)]);
    }

    let names = checkout.event_names();
    assert!(events.iter().all(|name| names.contains(name)), "{names:?}");
    assert_eq!(*heard.borrow(), names);

    for name in &events {
        let listener = listener.as_ref().unchecked_ref();
        document
            .remove_event_listener_with_callback(name, listener)
            .unwrap();
    }
    host.remove();
}
