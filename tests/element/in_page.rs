//! The form that the shop's HTML has in a declarative shadow root. Each test has a page of its own, in a frame, whose module is
//! never there.

use js_sys::{Array, Reflect};
use serde_json::json;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement, HtmlInputElement, ShadowRoot};

use crate::support::checkout::signed;
use crate::support::frame::{ENDLESS_GLUE, Frame, answering};
use crate::support::loader::{module, run_after};
use crate::support::mounted::type_into;
use crate::support::proxy::Proxy;
use crate::support::subject::SUBJECT;
use crate::support::wait::{settled, until};

const FIELDS: &str = "<input type='radio' name='payment-token' value='btc'>\
    <input type='radio' name='payment-token' value='trx'><input id='email' type='email'>";
const BUTTON: &str = "<button type='submit' data-busy='...'><span>Pay</span></button>";
const LISTING: &str = r#"[{"token":"btc"},{"token":"trx"}]"#;

fn order(number: &str) -> String {
    signed(&json!({ "token": "usdtt", "quantity": "12.50", "invoiceNumber": number }))
}

/// What the proxy renders for a shop's page.
fn template(order: &str, content: &str) -> String {
    format!(
        "<style>.card {{ color: red }}</style><div class='card' part='card' data-form='1f'>\
         <div class='locale-root'><form method='get' action='https://pay.shop.example/pay' target='_top'>\
         <input type='hidden' name='order' value='{order}'>{content}</form></div></div><slot></slot>"
    )
}

/// The form of the page that is right.
fn right() -> String {
    template(&order("INV-7"), &format!("{FIELDS}{BUTTON}"))
}

/// What the shop writes for the order of this number.
fn element(number: &str, template: &str) -> String {
    format!(
        "<tender-checkout proxy='{}' order='{}' purchase-email='shop@example.com'>\
         <template shadowrootmode='open'>{template}</template><a href='/pay'>Pay another way</a></tender-checkout>",
        Proxy::new().address(),
        order(number)
    )
}

/// A page with an element with this template.
async fn open(template: &str, fingerprint: &str) -> Frame {
    open_page(&element("INV-7", template), fingerprint).await
}

/// A page in which each request for the form gets one with this fingerprint, and which has no loader yet.
async fn open_page(body: &str, fingerprint: &str) -> Frame {
    let response = format!(
        "<div class='locale-root'><form><p class='note'>New</p>{FIELDS}{BUTTON}</form></div>\
         <script type='application/json' data-form='{fingerprint}'>{LISTING}</script>"
    );
    Frame::open(&answering(&response), body).await
}

/// Runs the loader, and waits until the proxy's form is there.
async fn load(frame: &Frame) {
    let script = SUBJECT.script_with(&module(ENDLESS_GLUE));
    let body = frame.document().body().unwrap();
    let last = body.last_element_child().unwrap();
    run_after(&frame.document(), &last, &script);
    until("the proxy has answered", || {
        !frame.words("answered").is_empty()
    })
    .await;
    settled().await;
}

fn root(frame: &Frame) -> ShadowRoot {
    frame.checkout().shadow_root().unwrap()
}

fn input(frame: &Frame, selector: &str) -> HtmlInputElement {
    let input = root(frame).query_selector(selector).unwrap();
    input.unwrap().unchecked_into()
}

/// Whether it shows the proxy's form of now, and not the one in the page.
fn shows_new(frame: &Frame) -> bool {
    root(frame).query_selector(".note").unwrap().is_some()
}

/// What the buyer does before the loader is there.
fn fill_in(frame: &Frame) -> HtmlInputElement {
    input(frame, "[value=trx]").click();
    let email = input(frame, "#email");
    type_into(&email, "ann@example.com");
    email.focus().unwrap();
    email
}

/// Whether the choice, the text and the focus are those of [`fill_in`].
fn is_filled_in(frame: &Frame) -> bool {
    let email = input(frame, "#email");
    let focused = root(frame).active_element();
    input(frame, "[value=trx]").checked()
        && email.value() == "ann@example.com"
        && focused.as_ref() == Some(email.as_ref())
}

#[wasm_bindgen_test]
async fn the_form_of_now_stays_as_the_buyer_has_left_it() {
    let frame = open(&right(), "1f").await;
    let email = fill_in(&frame);
    load(&frame).await;
    assert!(!shows_new(&frame));
    assert_eq!(input(&frame, "#email"), email);
    assert!(is_filled_in(&frame));
    // The loader's style sheet takes the place of the page's.
    assert!(root(&frame).query_selector("style").unwrap().is_none());
    let sheets = Reflect::get(&root(&frame), &"adoptedStyleSheets".into()).unwrap();
    assert_eq!(Array::from(&sheets).length(), 1);

    // A press is the loader's now. If the browser took it, this page would be gone.
    let button = root(&frame).query_selector("button").unwrap().unwrap();
    button.unchecked_ref::<HtmlElement>().click();
    assert_eq!(
        button.get_attribute("aria-disabled").as_deref(),
        Some("true")
    );
}

#[wasm_bindgen_test]
async fn a_form_that_is_out_of_date_is_replaced() {
    let frame = open(&right(), "2e").await;
    fill_in(&frame);
    load(&frame).await;
    assert!(shows_new(&frame));
    assert!(is_filled_in(&frame));
}

/// An element keeps its root when a script of the page moves it.
#[wasm_bindgen_test]
async fn two_elements_keep_their_own_forms_and_can_be_moved_before_the_loader_is_there() {
    let form = format!("{FIELDS}{BUTTON}");
    let of = |number| element(number, &template(&order(number), &form));
    let body = format!("{}<hr>{}", of("INV-7"), of("INV-8"));
    let frame = open_page(&body, "1f").await;
    fill_in(&frame);
    let moved = frame.checkout();
    let place = frame.document().create_element("p").unwrap();
    moved.before_with_node_1(&place).unwrap();
    place.append_child(&moved).unwrap();
    load(&frame).await;
    assert!(!shows_new(&frame));
    let checked: Vec<bool> = frame
        .checkouts()
        .iter()
        .map(|checkout| {
            let root = checkout.shadow_root().unwrap();
            assert!(root.query_selector(".note").unwrap().is_none());
            root.query_selector("[value=trx]:checked")
                .unwrap()
                .is_some()
        })
        .collect();
    assert_eq!(checked, [true, false]);
}

/// A copy has no form of the page.
#[wasm_bindgen_test]
async fn a_copy_of_the_element_gets_a_form_of_its_own() {
    let frame = open(&right(), "1f").await;
    let copy = frame.checkout().clone_node_with_deep(true).unwrap();
    frame.append(&copy);
    load(&frame).await;
    assert!(!shows_new(&frame));
    let copy: Element = copy.unchecked_into();
    let note = || copy.shadow_root().unwrap().query_selector(".note");
    until("the copy has a form", || note().unwrap().is_some()).await;
}

#[wasm_bindgen_test]
async fn a_page_translators_changes_survive_and_what_the_shop_knows_is_filled_in() {
    let translated = "<button type='submit' data-busy='...' _msthash='1'><span>\
        <font style='vertical-align: inherit;'><font>Bezahlen</font></font></span></button>";
    let translated = template(&order("INV-7"), &format!("{FIELDS}{translated}"));
    let frame = open(&translated, "1f").await;
    load(&frame).await;
    assert!(!shows_new(&frame));
    assert!(root(&frame).query_selector("font").unwrap().is_some());
    assert_eq!(input(&frame, "#email").value(), "shop@example.com");
}

/// Each has the fingerprint of the form of now.
#[wasm_bindgen_test]
async fn anything_else_is_replaced() {
    let whole = format!("{FIELDS}{BUTTON}");
    let of = |content: &str| template(&order("INV-7"), &format!("{whole}{content}"));
    let right = right();
    for other in [
        template(&order("INV-8"), &whole),
        template("", &whole),
        of("<iframe></iframe>"),
        of("<script>globalThis.answered</script>"),
        of("<p onclick='1'></p>"),
        of("<p style='display: none'></p>"),
        of("<a href='https://elsewhere.example'>Pay here</a>"),
        right.replace("<div class='card'", "<div class='card' style='opacity: 0'"),
        right.replace("class='locale-root'", "class='other'"),
        right.replace("</form>", "</form></div><div>"),
        right.replace(BUTTON, ""),
        right.replace(FIELDS, ""),
        right.replace(" data-form='1f'", ""),
        "<p>Sold out</p>".to_owned(),
        String::new(),
    ] {
        assert!(is_replaced(&other).await, "{other}");
    }
    // The browser closes what is open, and what is beside the card is removed.
    let (truncated, _) = right.split_once("</form>").unwrap();
    assert!(!is_replaced(truncated).await);
    assert!(!is_replaced(&format!("{right}<p style='color: red'>More</p>")).await);
}

/// Whether the form of now takes the place of this template's. There is nothing else of the template then.
async fn is_replaced(template: &str) -> bool {
    let frame = open(template, "1f").await;
    load(&frame).await;
    for gone in ["iframe", "script", "a", "[onclick]", "[style]"] {
        let found = root(&frame).query_selector(gone).unwrap();
        assert!(found.is_none(), "{template}");
    }
    assert_eq!(root(&frame).children().length(), 2, "{template}");
    shows_new(&frame)
}
