//! Elements are inserted, moved and removed. A removed element releases everything it holds.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Date, Object, WeakRef};
use tender_checkout::mounted_count;
use wasm_bindgen::externref_heap_live_count;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, EventTarget, window};

use crate::support::checkout::Checkout;
use crate::support::mounted::call;
use crate::support::proxy::{CANCEL, CREATE, Gate, Proxy, Reply, TOKENS, status};
use crate::support::stream::{Stream, asked};
use crate::support::wait::{PATIENCE, settled, until};
use crate::support::{clock, collector, page, record, stream};

/// The delay until the first poll of a new payment, in milliseconds.
const FIRST_LOOK: f64 = 5_000.0;

fn another_place() -> Element {
    let place = page::document().create_element("div").unwrap();
    page::body().append_child(&place).unwrap();
    place
}

/// Inserts and removes this many elements in every state: skeleton, form, payment, request in progress.
async fn insert_and_remove(count: usize) -> Vec<WeakRef> {
    settled().await; // the elements of other tests have left
    let before = mounted_count();
    let place = another_place();
    let mut gone = Vec::new();
    for round in 0..count {
        let proxy = Proxy::new();
        stream::offer(&proxy);
        let checkout = match round % 4 {
            0 => Checkout::open(&proxy, &[]),
            1 => Checkout::ready(&proxy, &[]).await,
            2 => Checkout::awaiting(&proxy, Some("receipt-7")).await,
            _ => {
                let checkout = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
                let _never = proxy.hold(CREATE);
                checkout.pay();
                checkout
            }
        };
        place.append_child(&checkout.element).unwrap();
        settled().await;
        assert_eq!(mounted_count(), before + 1, "round {round}");
        gone.push(WeakRef::new(&Object::from(checkout.element.clone())));
        drop(checkout);
        settled().await;
        assert_eq!(mounted_count(), before, "round {round}");
    }
    place.remove();
    gone
}

#[wasm_bindgen_test]
async fn a_hundred_elements_leave_nothing_behind() {
    settled().await;
    let (timers, streams) = (clock::held(FIRST_LOOK), stream::count_open());
    insert_and_remove(100).await;
    assert_eq!(clock::held(FIRST_LOOK), timers, "no timer is left");
    assert_eq!(stream::count_open(), streams, "no stream is left");
}

/// Nothing in the module or the page references them.
#[wasm_bindgen_test]
async fn the_browser_can_collect_removed_elements() {
    // Firefox collects about 25 removed elements every five seconds.
    let gone = insert_and_remove(20).await;
    let start = Date::now();
    loop {
        collector::collect().await;
        let left = gone.iter().filter(|element| element.deref().is_some());
        let left = left.count();
        if left == 0 {
            break;
        }
        assert!(Date::now() - start < PATIENCE, "{left} are not collected");
        // What was asked for is kept until the task ends.
        settled().await;
    }
}

/// The module's references to the page are in a table that never shrinks: closures of timers and listeners, elements,
/// promises.
#[wasm_bindgen_test]
async fn the_table_of_what_is_held_does_not_grow_with_each_element() {
    const TIMES: u32 = 20;
    // A tolerance for objects that are created once.
    const A_FEW: u32 = 4;
    let proxy = Proxy::new();
    // The first element creates objects that all elements share.
    drop(Checkout::ready(&proxy, &[]).await);
    settled().await;
    let before = externref_heap_live_count();
    for _ in 0..TIMES {
        drop(Checkout::ready(&proxy, &[]).await);
        settled().await;
    }
    until("what they held is given back", || {
        externref_heap_live_count() < before + A_FEW
    })
    .await;
}

#[wasm_bindgen_test]
async fn a_move_keeps_what_was_chosen_and_typed_and_the_requests() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("ask", "name")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    checkout.fill("Name", "Ann");
    let place = another_place();
    for _ in 0..3 {
        place.append_child(&checkout.element).unwrap();
        settled().await;
        checkout.insert();
        settled().await;
    }
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
    assert_eq!(proxy.total(), 1);
    assert_eq!(checkout.event_names(), ["tender-ready"]);

    // A request that is under way goes on.
    let create = proxy.hold(CREATE);
    checkout.pay();
    settled().await;
    place.append_child(&checkout.element).unwrap();
    settled().await;
    create.open(Reply::ok(record::payment(None)));
    checkout.until_part("amount").await;
    assert_eq!(proxy.sent(CREATE)[0].json()["purchaseName"], "Ann");
    checkout.insert();
    settled().await;
    assert_eq!(checkout.text_of("wallet"), record::WALLET);
    assert_eq!(proxy.total(), 2);
    place.remove();
}

#[wasm_bindgen_test]
async fn an_answer_that_comes_after_the_element_left_changes_nothing() {
    settled().await;
    let live = mounted_count();
    // A listing, a payment, a status and a cancellation.
    let proxy = Proxy::new();
    let tokens = proxy.hold(TOKENS);
    let waiting = Checkout::open(&proxy, &[]);
    leaves(&waiting, tokens, record::listing()).await;

    let proxy = Proxy::new();
    let submitting = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
    let create = proxy.hold(CREATE);
    submitting.pay();
    leaves(&submitting, create, record::payment(None)).await;

    let proxy = Proxy::new();
    let polling = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let look = proxy.hold(&status());
    polling.call("refresh");
    leaves(&polling, look, record::with_status("2", "Seen")).await;

    let proxy = Proxy::new();
    let cancelling = Checkout::awaiting(&proxy, None).await;
    let cancel = proxy.hold(CANCEL);
    cancelling.cancel().await;
    leaves(&cancelling, cancel, "[]".to_owned()).await;

    assert_eq!(waiting.event_names(), [""; 0]);
    assert_eq!(submitting.event_names(), ["tender-ready"]);
    assert_eq!(polling.event_names(), ["tender-ready", "tender-created"]);
    assert_eq!(cancelling.event_names(), ["tender-ready", "tender-created"]);
    assert_eq!(mounted_count(), live);
}

/// The element leaves before its request has this answer.
async fn leaves(checkout: &Checkout, request: Gate, answer: String) {
    settled().await;
    checkout.remove();
    settled().await;
    request.open(Reply::ok(answer));
    settled().await;
}

#[wasm_bindgen_test]
async fn an_element_that_is_inserted_again_starts_again() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    checkout.choose("Bitcoin, Bitcoin");
    checkout.remove();
    settled().await;
    checkout.insert();
    // It starts again without its earlier state.
    assert_eq!(checkout.all("[aria-busy=true]").len(), 1);
    checkout.until_ready().await;
    assert_eq!(checkout.chosen(), None);
}

#[wasm_bindgen_test]
async fn refresh_tries_again_and_neither_does_harm_before_and_after() {
    let proxy = Proxy::new();
    proxy.reply(TOKENS, Reply::Lost);
    let checkout = Checkout::create(&proxy, &[]);
    let call_both = || {
        checkout.call("refresh");
        checkout.call("reset");
    };
    call_both();
    checkout.insert();
    call_both();
    checkout.until_event("tender-error").await;
    checkout.call("refresh");
    checkout.until_ready().await;
    checkout.remove();
    settled().await;
    call_both();
    settled().await;
    assert_eq!(proxy.sent(TOKENS).len(), 2);
    assert_eq!(checkout.event_names(), ["tender-error", "tender-ready"]);
}

/// Listeners of the page may do anything, even while the element is working.
#[wasm_bindgen_test]
async fn a_listener_may_reset_change_or_remove_the_element() {
    let target = |checkout: &Checkout| EventTarget::from(checkout.element.clone());
    may_do_anything_on("tender-created", target, record::WALLET).await;
}

/// The same while wallets announce themselves.
#[wasm_bindgen_test]
async fn a_listener_for_wallet_requests_may_do_so_too() {
    let target = |_: &Checkout| EventTarget::from(window().unwrap());
    let payee = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    may_do_anything_on("eip6963:requestProvider", target, payee).await;
}

async fn may_do_anything_on(event: &str, target: impl Fn(&Checkout) -> EventTarget, payee: &str) {
    settled().await;
    let live = mounted_count();
    for deed in ["reset", "refresh", "change", "break", "remove"] {
        let proxy = Proxy::new();
        stream::offer(&proxy);
        let checkout = Checkout::ready(&proxy, &[("payment-token", "bnb")]).await;
        let heard = Rc::new(Cell::new(0));
        let listener = {
            let (element, heard) = (checkout.element.clone(), Rc::clone(&heard));
            Closure::<dyn FnMut()>::new(move || {
                heard.set(heard.get() + 1);
                match deed {
                    "change" => element.set_attribute("quantity", "5").unwrap(),
                    "break" => element.remove_attribute("proxy").unwrap(),
                    "remove" => element.remove(),
                    method => call(&element, method),
                }
            })
        };
        let (target, listener) = (target(&checkout), listener.as_ref().unchecked_ref());
        target
            .add_event_listener_with_callback(event, listener)
            .unwrap();
        let payment = record::payment(Some("receipt-7")).replace(record::WALLET, payee);
        proxy.reply(CREATE, Reply::ok(payment));
        checkout.pay();
        until("the listener has run", || heard.get() == 1).await;
        settled().await;
        match deed {
            "reset" => {
                assert_eq!(checkout.role("radio").len(), 6);
                // The effects of the first event come before the second event: the stream that the payment opens is closed.
                assert_eq!(
                    checkout.event_names(),
                    ["tender-ready", "tender-created", "tender-ready"]
                );
                assert!(!asked(&proxy).iter().any(Stream::is_open));
            }
            "refresh" => assert_eq!(proxy.sent(&status()).len(), 1),
            "change" => assert_eq!(checkout.text_of("price"), "5.00 USDT"),
            "break" => assert!(checkout.shows_fallback()),
            _ => assert_eq!(mounted_count(), live),
        }
        target
            .remove_event_listener_with_callback(event, listener)
            .unwrap();
        drop(checkout);
        settled().await;
        assert_eq!(mounted_count(), live, "{deed}");
    }
}
