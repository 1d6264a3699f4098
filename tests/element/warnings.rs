//! What the page says and holds back while nothing may be paid.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement};

use crate::support::checkout::Checkout;
use crate::support::mounted::is_seen;
use crate::support::proxy::{CANCEL, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;

/// The service's word doesn't stand beside the warning.
#[wasm_bindgen_test]
async fn beside_a_warning_the_status_is_a_detail() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let is_detail = || checkout.part("status").closest("dl").unwrap().is_some();
    assert!(!is_detail());

    let answer = proxy.hold(CANCEL);
    cancel(&checkout).await;
    assert!(is_detail(), "while it is being cancelled");
    answer.open(Reply::problem(502, "service-refused"));
    checkout.until_shown("It is still valid").await;
    assert!(!is_detail());

    checkout.fetch(&proxy, record::payment(None).replace("0.00012345", "7"));
    checkout.until_shown("Do not pay").await;
    assert!(is_detail());
    assert_eq!(checkout.part("status").text_content().unwrap(), "Created");
}

#[wasm_bindgen_test]
async fn a_contradicted_payment_shows_how_to_reach_the_shop() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let contact = checkout.add_contact();
    assert!(!is_seen(&contact));
    checkout.fetch(&proxy, record::payment(None).replace("0.00012345", "7"));
    checkout.until_shown("Do not pay").await;
    assert!(is_seen(&contact));
}

/// Neither the pointer nor the keyboard reaches them.
#[wasm_bindgen_test]
async fn nothing_that_asks_for_money_can_be_used_during_a_cancellation() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let controls = || {
        let mut controls = vec![checkout.part("wallet")];
        controls.extend(checkout.all(".ways button, .ways a, .ways summary, .ways input"));
        controls.retain(is_seen);
        controls
    };
    assert!(controls().len() > 3, "{}", checkout.text());
    for control in controls() {
        assert!(is_hit(&checkout, &control), "{}", control.outer_html());
    }

    let answer = proxy.hold(CANCEL);
    cancel(&checkout).await;
    for control in controls() {
        let html = control.outer_html();
        assert!(!is_hit(&checkout, &control), "{html}");
        control.unchecked_ref::<HtmlElement>().focus().unwrap();
        let focused = checkout.root().active_element();
        assert_ne!(focused.as_ref(), Some(&control), "{html}");
    }

    answer.open(Reply::problem(502, "service-refused"));
    checkout.until_shown("It is still valid").await;
    for control in controls() {
        assert!(is_hit(&checkout, &control), "{}", control.outer_html());
    }
}

async fn cancel(checkout: &Checkout) {
    checkout.press("Cancel payment");
    settled().await;
    checkout.press("Yes, cancel");
    settled().await;
}

/// Whether a click in the middle of a control reaches it.
fn is_hit(checkout: &Checkout, control: &Element) -> bool {
    control.scroll_into_view();
    let area = control.get_bounding_client_rect();
    let (x, y) = (
        area.left() + area.width() / 2.0,
        area.top() + area.height() / 2.0,
    );
    #[expect(clippy::cast_possible_truncation, reason = "CSS pixels of a page")]
    let hit = checkout.root().element_from_point(x as f32, y as f32);
    hit.is_some_and(|hit| control.contains(Some(&hit)))
}
