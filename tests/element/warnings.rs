//! What the page says and holds back while nothing may be paid.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement};

use crate::support::checkout::Checkout;
use crate::support::mounted::is_seen;
use crate::support::proxy::{CANCEL, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;

/// What asks for money.
const REQUESTS: [&str; 5] = ["scan", "qr", "with-amount", "open-wallet", "copy"];

/// Whether the service's word is a detail, so that it doesn't stand beside the warning.
fn is_status_detail(checkout: &Checkout) -> bool {
    checkout.part("status").closest("dl").unwrap().is_some()
}

/// Statuses other than the first are not documented, so the buyer may have paid.
#[wasm_bindgen_test]
async fn once_money_may_have_been_sent_nothing_asks_for_it() {
    let hash = "ab".repeat(32);
    for (hash, said) in [
        (None, "do not send it again"),
        (Some(&hash), "Do not send again"),
    ] {
        let proxy = Proxy::new();
        let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
        checkout.until_part("qr").await;
        assert!(checkout.has_button("Use another token"));
        for said in ["Send exactly", "This page updates by itself."] {
            assert!(checkout.text().contains(said), "{said}");
        }
        if let Some(hash) = hash {
            checkout.paste_hash(hash);
        } else {
            checkout.fetch(&proxy, record::with_status("2", "Confirming"));
            checkout.until_shown("Confirming").await;
        }
        checkout.until_shown(said).await;
        settled().await;
        for part in REQUESTS {
            assert!(!checkout.has_part(part), "{said}: {part}");
        }
        let text = checkout.text();
        for request in ["Send exactly", "Send only", "updates by itself"] {
            assert!(!text.contains(request), "{said}: {request}: {text}");
        }
        // A buyer who has not paid can still look up the amount and the wallet. Cancelling could meet money on its way.
        assert!(checkout.has_part("amount") && checkout.has_part("wallet"));
        assert!(!checkout.has_button("Use another token"), "{said}");
        assert!(!checkout.has_button("Cancel payment"), "{said}");
    }
}

#[wasm_bindgen_test]
async fn a_record_that_contradicts_the_payment_hides_where_to_send_money() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let contact = checkout.add_contact();
    assert!(!is_seen(&contact) && !is_status_detail(&checkout));
    let other = record::with_state("Completed", "paid").replace("0.00012345", "0.00012346");
    checkout.fetch(&proxy, other);
    checkout.until_shown("The payment details changed").await;
    settled().await;
    assert!(checkout.text().contains("Do not pay"));
    for part in REQUESTS.into_iter().chain(["amount", "wallet"]) {
        assert!(!checkout.has_part(part), "{part}: {}", checkout.text());
    }
    assert_eq!(checkout.text_of("status"), "Created");
    assert!(is_seen(&contact) && is_status_detail(&checkout));
    assert_eq!(checkout.role("alert").len(), 1);
    assert_eq!(checkout.error_code(), "record-mismatch");
    for event in ["tender-status", "tender-paid"] {
        assert!(checkout.details_of(event).is_empty(), "{event}");
    }

    checkout.fetch(&proxy, record::with_status("1", "Created"));
    checkout.until_part("wallet").await;
    assert!(checkout.role("alert").is_empty());
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
    let can_be_used = || {
        for control in controls() {
            assert!(is_hit(&checkout, &control), "{}", control.outer_html());
        }
        assert!(!is_status_detail(&checkout));
    };
    assert!(controls().len() > 3, "{}", checkout.text());
    can_be_used();

    let answer = proxy.hold(CANCEL);
    checkout.cancel().await;
    settled().await;
    for control in controls() {
        let html = control.outer_html();
        assert!(!is_hit(&checkout, &control), "{html}");
        control.unchecked_ref::<HtmlElement>().focus().unwrap();
        assert_ne!(checkout.focused().as_ref(), Some(&control), "{html}");
    }
    assert!(is_status_detail(&checkout));

    answer.open(Reply::problem(502, "service-refused"));
    checkout.until_shown("It is still valid").await;
    can_be_used();
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
