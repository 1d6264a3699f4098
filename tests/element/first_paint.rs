//! The form that the proxy renders: what is accepted of it, and what takes its place. Each test has a page of its own, in a
//! frame.

use js_sys::Reflect;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::frame::{ENDLESS_GLUE, Frame, QUIET_GLUE, answering};
use crate::support::proxy::{Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::wait::{settled, until};

const RADIO: &str = "<input type='radio' name='payment-token' value='btc'>";
const BUTTON: &str = "<button type='submit' data-busy='...'><span>Pay</span></button>";
const LISTING: &str = r#"[{"token":"BTC"},1]"#;

/// The proxy's response: a form with this content, and the listing that it was rendered from.
fn response(content: &str, listing: &str) -> String {
    format!(
        "<div class='locale-root'><form>{content}</form></div>\
         <script type='application/json'>{listing}</script>"
    )
}

/// A page in which each request for the form has this response.
async fn open(glue: &str, response: &str) -> Frame {
    Frame::with(&answering(response), glue).await
}

/// Glue that records a text before it mounts: `data` is what the loader has requested.
fn recording(given: &str) -> String {
    QUIET_GLUE
        .replace("(host, card, locale)", "(host, card, locale, texts, data)")
        .replace(
            "mounted.push(host);",
            &format!("{given} mounted.push(host);"),
        )
}

/// The listing that the module starts from.
async fn given(proxy: &Proxy, response: &str) -> String {
    let glue = recording("data.then(({ body }) => { globalThis.given = [body]; });");
    let frame = Frame::of(proxy, &answering(response), &glue).await;
    until("the module has a listing", || {
        !frame.words("given").is_empty()
    })
    .await;
    frame.words("given").remove(0)
}

#[wasm_bindgen_test]
async fn the_module_starts_from_the_listing_in_the_form() {
    let proxy = Proxy::new();
    let requested = proxy.hold(TOKENS);
    let form = response(&format!("{RADIO}{BUTTON}"), LISTING);
    assert_eq!(given(&proxy, &form).await, LISTING);
    requested.open(Reply::ok("[]"));
}

#[wasm_bindgen_test]
async fn a_form_that_its_listing_does_not_fit_is_ignored() {
    let whole = format!("{RADIO}{BUTTON}");
    for (content, listing) in [
        (whole.as_str(), "[]"),
        (&whole, "null"),
        (&whole, "not JSON"),
        (&whole, r#"[{"token":"trx"}]"#),
        (RADIO, LISTING),
        (BUTTON, LISTING),
    ] {
        let proxy = Proxy::new();
        let given = given(&proxy, &response(content, listing)).await;
        assert_eq!(given, record::listing(), "{content} {listing}");
    }
}

/// A login or an error in place of the form, and a form with more than the proxy renders.
#[wasm_bindgen_test]
async fn anything_else_than_a_form_is_ignored() {
    let whole = response(&format!("{RADIO}{BUTTON}"), LISTING);
    let with = |more: &str| whole.replace("</form>", &format!("{more}</form>"));
    let (truncated, _) = whole.split_once("</form>").unwrap();
    for other in [
        "<h1>Log in</h1><form><input name='password'></form>",
        &with("<img src='x' onerror='1'>"),
        &with("<script>1</script>"),
        &with("<iframe srcdoc='<script>1</script>'></iframe>"),
        &format!("{whole}<script>1</script>"),
        truncated,
        "",
    ] {
        let given = given(&Proxy::new(), other).await;
        assert_eq!(given, record::listing(), "{other}");
    }
}

/// The module is still loading.
#[wasm_bindgen_test]
async fn an_image_that_cannot_be_loaded_leaves_the_first_letter() {
    let logo =
        "<span class='logo' data-initial='B'><img src='data:image/png,broken' alt=''></span>";
    let form = response(&format!("{RADIO}{logo}{BUTTON}"), LISTING);
    let frame = open(ENDLESS_GLUE, &form).await;
    let shown = |selector: &str| {
        let root = frame.checkout().shadow_root().unwrap();
        root.query_selector(selector).unwrap()
    };
    until("the form is shown", || shown(".logo").is_some()).await;
    until("the image is gone", || shown(".logo img").is_none()).await;
    settled().await;
    let window = frame.document().default_view().unwrap();
    let style = window.get_computed_style_with_pseudo_elt(&shown(".logo").unwrap(), "::before");
    let content = style.unwrap().unwrap().get_property_value("content");
    // Chromium computes the letter, Firefox names the attribute that has it.
    let content = content.unwrap();
    let is_letter = ["\"B\"", "attr(data-initial)"].contains(&&*content);
    assert!(is_letter, "{content}");
}

/// The module is still loading. The form of the first attributes has another price.
#[wasm_bindgen_test]
async fn without_a_form_for_changed_attributes_the_earlier_one_goes() {
    let form = response(&format!("{RADIO}{BUTTON}"), LISTING);
    let frame = open(ENDLESS_GLUE, &form).await;
    let checkout = frame.checkout();
    let shows = |selector: &str| {
        let root = checkout.shadow_root().unwrap();
        root.query_selector(selector).unwrap().is_some()
    };
    until("the form is shown", || shows("[data-first-paint]")).await;
    let window = frame.document().default_view().unwrap();
    Reflect::set(&window, &"formStatus".into(), &404.into()).unwrap();
    checkout.set_attribute("quantity", "7").unwrap();
    until("the skeleton is shown", || shows(".skeleton")).await;
    assert!(!shows("[data-first-paint]"));
}

/// On a slow network, the module may come late.
#[wasm_bindgen_test]
async fn the_module_starts_only_from_what_was_requested_in_the_last_30_seconds() {
    let glue = recording("globalThis.given = [String(Boolean(data))];");
    for (age, is_used) in [(25_000, "true"), (30_001, "false")] {
        let later = format!("const now = Date.now(); Date.now = () => now + {age};");
        let form = response(&format!("{RADIO}{BUTTON}"), LISTING);
        let frame = open(&(later + &glue), &form).await;
        frame.until_mounted().await;
        assert_eq!(frame.words("given"), [is_used], "{age}");
    }
}

/// zone.js 0.11, of Angular 14, replaces `Promise` by a class without `any`.
#[wasm_bindgen_test]
async fn the_listing_is_found_without_promise_any() {
    let proxy = Proxy::new();
    let form = response(&format!("{RADIO}{BUTTON}"), LISTING);
    let requested = proxy.hold(TOKENS);
    let head = format!("<script>delete Promise.any;</script>{}", answering(&form));
    let glue = recording("data.then(({ body }) => { globalThis.given = [body]; });");
    let frame = Frame::of(&proxy, &head, &glue).await;
    until("the module has a listing", || {
        !frame.words("given").is_empty()
    })
    .await;
    assert_eq!(frame.words("given"), [LISTING]);
    requested.open(Reply::ok("[]"));
}
