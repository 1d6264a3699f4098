//! When the focused control is removed, the focus moves to what replaces it.

use wasm_bindgen::JsCast as _;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Event, HtmlElement};

use crate::support::accessibility::name;
use crate::support::checkout::Checkout;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;

/// The name or the text of the focused element in the checkout.
fn focused(checkout: &Checkout) -> String {
    let Some(element) = checkout.focused() else {
        return String::new();
    };
    match name(&element) {
        name if name.is_empty() => element.text_content().unwrap(),
        name => name,
    }
}

fn assert_focused(checkout: &Checkout, words: &str) {
    let focused = focused(checkout);
    assert!(focused.contains(words), "{focused}");
}

#[wasm_bindgen_test]
async fn choosing_and_typing_leave_the_controls_where_they_are() {
    let proxy = Proxy::new();
    let more = [("ask", "name"), ("item-number", "0")];
    let checkout = Checkout::ready(&proxy, &more).await;
    let before = checkout.all("input");
    let radio = checkout.named("radio", "TRON, TRON");
    radio.focus().unwrap();
    radio.click();
    settled().await;
    assert_eq!(focused(&checkout), "TRON, TRON");

    for field in ["Name", "Amount in USDT"] {
        checkout.named("textbox", field).focus().unwrap();
        for text in ["7", "70"] {
            checkout.fill(field, text);
            settled().await;
            assert!(focused(&checkout).starts_with(field));
        }
    }
    assert_eq!(checkout.all("input"), before);
}

#[wasm_bindgen_test]
async fn the_payment_gets_the_focus_once() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    settled().await;
    assert_eq!(focused(&checkout), "Payment");

    // The button is removed, since nothing may be sent any more. What takes its place says so.
    let copy = checkout.named("button", "Copy amount");
    copy.focus().unwrap();
    checkout.fetch(&proxy, record::with_status("2", "Seen"));
    checkout.until_shown("Seen").await;
    settled().await;
    let notice = "The payment may have arrived. If you have sent the money, do not send it again.";
    assert_focused(&checkout, notice);

    // The field is hidden once a hash is entered that can't be changed any more.
    checkout.paste_hash(" ");
    let field = checkout.named("textbox", "Transaction hash");
    field.focus().unwrap();
    checkout.paste_hash(&"a".repeat(64));
    settled().await;
    assert_focused(&checkout, "Your transaction is noted.");
}

/// Beside it there is the button that cancels the payment.
#[wasm_bindgen_test]
async fn after_the_removal_of_a_hash_the_focus_is_in_its_field() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("r")).await;
    checkout.paste_hash(&"a".repeat(64));
    settled().await;
    checkout.unfold();
    for button in ["Remove the hash", "Yes, remove it"] {
        let button = checkout.named("button", button);
        button.focus().unwrap();
        button.click();
        settled().await;
    }
    let field = checkout.named("textbox", "Transaction hash");
    assert_eq!(checkout.focused().as_ref(), Some(field.as_ref()));
}

/// A half-typed hash is not wrong yet.
#[wasm_bindgen_test]
async fn a_hash_is_called_wrong_once_it_is_left_or_long_enough() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    let is_wrong = || !checkout.role("alert").is_empty();
    checkout.paste_hash("a");
    settled().await;
    assert!(!is_wrong());
    let field = checkout.named("textbox", "Transaction hash");
    let change = Event::new("change").unwrap();
    field.dispatch_event(&change).unwrap();
    settled().await;
    assert!(is_wrong());

    let checkout = Checkout::awaiting(&proxy, None).await;
    checkout.paste_hash(&"x".repeat(64));
    settled().await;
    assert!(!checkout.role("alert").is_empty());
}

/// Also if the buyer presses the button twice with the same problem.
#[wasm_bindgen_test]
async fn each_submit_with_a_problem_moves_the_focus_and_announces_the_problem() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("ask", "name!")]).await;
    let mut announced = Vec::new();
    for (choice, place) in [(None, "Tether USD, TRON"), (Some("TRON, TRON"), "Name")] {
        if let Some(choice) = choice {
            checkout.choose(choice);
        }
        for _ in 0..2 {
            checkout
                .part("submit")
                .unchecked_into::<HtmlElement>()
                .focus()
                .unwrap();
            checkout.pay();
            settled().await;
            assert_focused(&checkout, place);
            let alerts = checkout.role("alert");
            assert_eq!(alerts.len(), 1);
            // Screen readers announce a new element.
            assert!(!announced.contains(&alerts[0]));
            announced.extend(alerts);
        }
    }
}

#[wasm_bindgen_test]
async fn a_failure_leaves_the_focus_in_the_form() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    checkout.choose("TRON, TRON");
    settled().await;
    proxy.reply(CREATE, Reply::Lost);
    let submit = checkout.named("button", "Pay");
    submit.focus().unwrap();
    submit.click();
    checkout.until_part("retry").await;
    settled().await;
    assert_eq!(focused(&checkout), "Try again");
    checkout.press("Back");
    settled().await;
    let submit = focused(&checkout);
    assert!(submit.starts_with("Pay"), "{submit}");
}
