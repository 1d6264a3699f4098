//! Loading: the module, the texts or the listing fail or stall. Each test has a page of its own, in a frame.

use js_sys::{Array, Function};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement, window};

use crate::support::clock;
use crate::support::frame::{BROKEN_GLUE, ENDLESS_GLUE, Frame, QUIET_GLUE};
use crate::support::loader::module;
use crate::support::mounted::{call, shows_fallback};
use crate::support::proxy::{Proxy, Reply, TOKENS};
use crate::support::wait::{settled, until};

/// How long the loader waits for the module, and for its other requests, in milliseconds.
const TIMEOUTS: [f64; 2] = [60_000.0, 30_000.0];

/// The loader's message in the card.
fn said(checkout: &Element) -> String {
    let texts = Frame::card(checkout)
        .query_selector_all("strong, p, button")
        .unwrap();
    let texts = (0..texts.length()).filter_map(|index| texts.get(index)?.text_content());
    texts.collect::<Vec<_>>().join(" ")
}

/// [`QUIET_GLUE`] whose starts are counted in `starts` and begin with these statements.
fn starting_with(statements: &str) -> String {
    QUIET_GLUE.replace(
        "export default async () => {};",
        &format!("let starts = 0; export default async () => {{ {statements} }};"),
    )
}

#[wasm_bindgen_test]
async fn a_module_that_does_not_load_is_told_above_the_fallback() {
    // A missing file, a file that is not a module, a module that throws, and one that can't start.
    let broken = [
        "missing.js".to_owned(),
        module("this is not JavaScript"),
        module(BROKEN_GLUE),
        module("export default () => Promise.reject(new Error('no WebAssembly'));"),
    ];
    for glue in broken {
        let body = Frame::element("").repeat(2);
        let frame = Frame::open(&Frame::tag(&glue, ""), &body).await;
        frame
            .until_dispatched(&["load-failed", "load-failed"])
            .await;
        assert!(frame.shows_fallbacks());
        for checkout in frame.checkouts() {
            assert_eq!(
                said(&checkout),
                "The checkout could not be loaded Check your connection, then try again. Try again"
            );
            assert_eq!(Frame::card(&checkout).get_client_rects().length(), 1);
        }
        let said = frame.words("said");
        assert!(
            said[0].contains("<tender-checkout>: it could not be loaded"),
            "{said:?}"
        );
    }
}

#[wasm_bindgen_test]
async fn a_start_that_failed_is_tried_again_by_the_buyer_the_page_and_the_next_element() {
    let glue = starting_with("if (starts++ < 3) throw new Error('thrice');");
    let frame = Frame::with("", &glue).await;
    frame.until_dispatched(&["load-failed"]).await;
    let checkout = frame.checkout();
    let retry = Frame::card(&checkout).query_selector("[part=retry]");
    let retry: HtmlElement = retry.unwrap().unwrap().unchecked_into();
    retry.click();
    frame.until_dispatched(&["load-failed"; 2]).await;
    settled().await;

    // Moving the element does not retry.
    frame.append(&checkout);
    settled().await;
    assert_eq!(frame.words("dispatched").len(), 2);
    call(&checkout, "refresh");
    frame.until_dispatched(&["load-failed"; 3]).await;
    let next = checkout.clone_node().unwrap();
    frame.append(&next);
    frame.until_mounted().await;
    call(&checkout, "refresh");
    until("the first one is shown", || frame.mounted() == 2).await;
    assert_eq!(frame.words("dispatched"), ["load-failed"; 3]);
    assert!(!shows_fallback(&checkout));
}

/// A page whose long timers are those of the test's page. No request gets a response.
const STALLED: &str = "<script>
    ({ setTimeout, clearTimeout } = parent);
    fetch = (_, { signal }) => new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
</script>";

fn time_out() {
    for timeout in TIMEOUTS {
        clock::fire(timeout);
    }
}

#[wasm_bindgen_test]
async fn a_stalled_download_ends_with_one_time_out() {
    // Nothing of the module arrives. In the second page, its glue does not arrive either.
    for glue in [
        "export default ({ module_or_path }) => module_or_path;",
        ENDLESS_GLUE,
    ] {
        let tag = format!("{STALLED}{}", Frame::tag(&module(glue), ""));
        let body = Frame::element("locale='ar'");
        let frame = Frame::open(&tag, &body).await;
        settled().await;
        assert_eq!(frame.words("dispatched"), [""; 0]);
        time_out();
        frame.until_dispatched(&["load-failed"]).await;
        // The texts of the buyer's language don't arrive either; English needs none.
        until("it says so", || {
            said(&frame.checkout()).ends_with("Try again")
        })
        .await;
        if glue == ENDLESS_GLUE {
            // A browser imports a URL once: the same URL again would wait for the import that has stalled. There is no module
            // at the other URL, and whether its release is gone says the other request.
            call(&frame.checkout(), "refresh");
            settled().await;
            time_out();
            frame.until_dispatched(&["load-failed"; 2]).await;
        }
    }
}

/// By then the next try may have started a module already.
#[wasm_bindgen_test]
async fn an_import_that_finishes_after_its_time_out_starts_nothing() {
    let glue = "await new Promise((resolve) => { globalThis.finishImport = resolve; });
         export default async () => { globalThis.wasStarted = true; };
         export const on_panic = () => {};
         export const stack_pointer = () => 0;";
    let frame = Frame::with(STALLED, glue).await;
    until("the import has stalled", || {
        frame.global("finishImport").is_function()
    })
    .await;
    time_out();
    frame.until_dispatched(&["load-failed"]).await;
    frame.call("finishImport").await;
    settled().await;
    assert_eq!(frame.words("dispatched"), ["load-failed"]);
    assert!(frame.global("wasStarted").is_undefined());
}

#[wasm_bindgen_test]
async fn an_element_that_was_removed_when_the_module_failed_starts_again() {
    let glue = starting_with(
        "if (starts++ === 0) await new Promise((_, reject) => { globalThis.failStart = reject; });",
    );
    let frame = Frame::with("", &glue).await;
    until("the module starts", || {
        frame.global("failStart").is_function()
    })
    .await;
    let checkout = frame.checkout();
    checkout.remove();
    settled().await;
    frame.call("failStart").await;
    settled().await;
    assert_eq!(frame.words("dispatched"), [""; 0]);

    frame.append(&checkout);
    frame.until_mounted().await;
    assert_eq!(frame.words("dispatched"), [""; 0]);
}

#[wasm_bindgen_test]
async fn a_failure_in_a_language_that_is_loaded_is_not_shown_in_english_first() {
    let body = Frame::element("locale='ar'");
    let frame = Frame::open(&Frame::tag(&module(BROKEN_GLUE), ""), &body).await;
    let checkout = frame.checkout();
    until("it is in Arabic", || {
        said(&checkout).ends_with("إعادة المحاولة")
    })
    .await;
    let watch = Function::new_with_args(
        "card",
        "const languages = [];
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) for (const { lang } of addedNodes) languages.push(lang);
        }).observe(card, { childList: true });
        return languages;",
    );
    let languages = watch.call1(&JsValue::UNDEFINED, &Frame::card(&checkout));
    checkout.set_attribute("quantity", "2").unwrap();
    settled().await;
    let languages: Array = languages.unwrap().unchecked_into();
    assert_eq!(languages.join(" "), "ar");
}

#[wasm_bindgen_test]
async fn the_loader_speaks_the_language_of_the_element() {
    let frame = Frame::with("", BROKEN_GLUE).await;
    let checkout = frame.checkout();
    let direction = || {
        let notice = Frame::card(&checkout).query_selector("[part=notice]");
        let style = window().unwrap();
        let style = style.get_computed_style(&notice.unwrap().unwrap());
        let style = style.unwrap().unwrap();
        style.get_property_value("direction").unwrap()
    };
    // English, Arabic, a language whose file can't be loaded, and a text of the shop.
    for (locale, texts, words, expected) in [
        ("en", "", "Try again", "ltr"),
        ("ar", "", "إعادة المحاولة", "rtl"),
        ("ja", "", "Try again", "ltr"),
        ("ar", r#"{"try-again":"Again"}"#, "Again", "rtl"),
        ("en", "no JSON", "Try again", "ltr"),
    ] {
        checkout.set_attribute("texts", texts).unwrap();
        checkout.set_attribute("locale", locale).unwrap();
        until(words, || said(&checkout).ends_with(words)).await;
        assert_eq!(direction(), expected, "{locale}");
    }
    assert_eq!(frame.words("dispatched"), ["load-failed"]);
}

#[wasm_bindgen_test]
async fn a_listing_that_is_lost_is_left_to_the_module_to_tell() {
    let proxy = Proxy::new();
    proxy.reply(TOKENS, Reply::Lost);
    let frame = Frame::of(&proxy, "", QUIET_GLUE).await;
    frame.until_mounted().await;
    settled().await;
    assert_eq!(frame.words("dispatched"), [""; 0]);
    assert!(!frame.shows_fallbacks());
}
