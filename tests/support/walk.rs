//! A buyer's way through the views of a checkout.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::checkout::Checkout;
use super::mounted::type_into;
use super::proxy::{CANCEL, CREATE, Proxy, Reply, TOKENS};
use super::record;
use super::wait::settled;

/// Goes through the views, and calls `look` in each one with its name. `look` may change the texts, as a page translator does,
/// so nothing is found by them.
pub(crate) async fn through_the_views(
    proxy: &Proxy,
    mut look: impl FnMut(&Checkout, &str),
) -> Checkout {
    let tokens = proxy.hold(TOKENS);
    let checkout = Checkout::open(proxy, &[("ask", "email name!"), ("item-number", "0")]);
    look(&checkout, "the loader's skeleton");
    settled().await;
    look(&checkout, "skeleton");
    tokens.open(Reply::Lost);
    checkout.until_part("retry").await;
    settled().await;
    look(&checkout, "unavailable");
    checkout.press_part("retry");
    checkout.until_ready().await;
    settled().await;
    look(&checkout, "choosing");
    checkout.press_part("submit");
    checkout.until_shown("Choose what to pay with.").await;
    settled().await;
    look(&checkout, "no token");
    checkout.choose("Bitcoin, Bitcoin");
    checkout.press_part("submit");
    settled().await;
    look(&checkout, "wrong field");

    write(&checkout, "#name", "Ann");
    let create = proxy.hold(CREATE);
    checkout.press_part("submit");
    settled().await;
    look(&checkout, "submitting");
    create.open(Reply::Lost);
    checkout.until_part("retry").await;
    settled().await;
    look(&checkout, "failed");

    proxy.reply(CREATE, Reply::ok(record::payment(Some("receipt-7"))));
    checkout.press_part("retry");
    checkout.until_part("amount").await;
    settled().await;
    look(&checkout, "awaiting");
    checkout.unfold();
    write(&checkout, "#hash", "wrong");
    click_last(&checkout, "[part=copy]");
    settled().await;
    look(&checkout, "wrong hash, copied");
    click_last(&checkout, "[part=cancel] button");
    settled().await;
    look(&checkout, "question");
    let cancel = proxy.hold(CANCEL);
    click_last(&checkout, "[part=cancel] button");
    settled().await;
    look(&checkout, "cancelling");
    cancel.open(Reply::ok("[]"));
    checkout.until_shown("Payment cancelled").await;
    settled().await;
    look(&checkout, "cancelled");
    checkout
}

fn write(checkout: &Checkout, field: &str, text: &str) {
    type_into(&checkout.first(field), text);
}

/// Clicks the last element that matches.
pub(crate) fn click_last(checkout: &Checkout, selector: &str) {
    let element = checkout.all(selector).pop().unwrap();
    element.unchecked_into::<HtmlElement>().click();
}
