//! Loading: the module, the texts or the listing fail or stall. Each test has a page of its own, in a frame.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement};

use crate::support::frame::{Frame, QUIET_GLUE};
use crate::support::loader::module;
use crate::support::proxy::{Proxy, Reply, TOKENS};
use crate::support::wait::{settled, until};

/// The loader's message in the card.
fn said(checkout: &Element) -> String {
    let texts = Frame::card(checkout)
        .query_selector_all("strong, p, button")
        .unwrap();
    let texts = (0..texts.length()).filter_map(|index| texts.get(index)?.text_content());
    texts.collect::<Vec<_>>().join(" ")
}

#[wasm_bindgen_test]
async fn a_module_that_does_not_load_is_told_above_the_fallback() {
    let proxy = Proxy::new();
    // A missing file, a file that is not a module, a module that throws, and one that can't start.
    let broken = [
        "missing.js".to_owned(),
        module("this is not JavaScript"),
        module("throw new Error('no luck')"),
        module("export default () => Promise.reject(new Error('no WebAssembly'));"),
    ];
    for glue in broken {
        let body = [Frame::element(&proxy, ""), Frame::element(&proxy, "")].concat();
        let frame = Frame::open(&Frame::tag(&glue, ""), &body).await;
        until("both have failed", || frame.words("dispatched").len() == 2).await;
        assert_eq!(frame.words("dispatched"), ["load-failed", "load-failed"]);
        for checkout in frame.checkouts() {
            assert!(Frame::shows_fallback(&checkout));
            assert_eq!(
                said(&checkout),
                "The checkout could not be loaded Check your connection, then try again. Try again"
            );
            assert_eq!(Frame::card(&checkout).get_client_rects().length(), 1);
        }
        let said = frame.words("said");
        assert!(
            said[0].contains("<tender-checkout>: the checkout could not be loaded"),
            "{said:?}"
        );
    }
}

#[wasm_bindgen_test]
async fn a_start_that_failed_is_tried_again_by_the_next_element() {
    let proxy = Proxy::new();
    let glue = module(&format!(
        "{}\nlet starts = 0;\nexport default async () => {{ if (starts++ === 0) throw new Error('once'); }};",
        QUIET_GLUE.replace("export default async () => {};", "")
    ));
    let frame = Frame::open(&Frame::tag(&glue, ""), &Frame::element(&proxy, "")).await;
    until("the first one fails", || {
        frame.words("dispatched").len() == 1
    })
    .await;

    let next = frame.document().create_element("tender-checkout").unwrap();
    next.set_attribute("proxy", proxy.address()).unwrap();
    frame
        .document()
        .body()
        .unwrap()
        .append_child(&next)
        .unwrap();
    until("the next one is shown", || frame.mounted() == 1).await;
    assert_eq!(frame.words("dispatched"), ["load-failed"]);
}

#[wasm_bindgen_test]
async fn a_start_that_failed_is_tried_again_by_the_buyer_and_by_the_page() {
    let proxy = Proxy::new();
    let glue = module(&format!(
        "{}\nlet starts = 0;\nexport default async () => {{ if (starts++ < 2) throw new Error('twice'); }};",
        QUIET_GLUE.replace("export default async () => {};", "")
    ));
    let frame = Frame::open(&Frame::tag(&glue, ""), &Frame::element(&proxy, "")).await;
    until("it fails", || frame.words("dispatched").len() == 1).await;
    let checkout = frame.checkouts().remove(0);
    let retry = Frame::card(&checkout).query_selector("[part=retry]");
    retry
        .unwrap()
        .unwrap()
        .unchecked_into::<HtmlElement>()
        .click();
    until("it fails again", || frame.words("dispatched").len() == 2).await;
    settled().await;

    // Moving the element does not retry.
    frame
        .document()
        .body()
        .unwrap()
        .append_child(&checkout)
        .unwrap();
    settled().await;
    assert_eq!(frame.mounted(), 0);
    let refresh = js_sys::Reflect::get(&checkout, &"refresh".into()).unwrap();
    let refresh: js_sys::Function = refresh.unchecked_into();
    refresh.call0(&checkout).unwrap();
    until("it is shown", || frame.mounted() == 1).await;
    assert_eq!(frame.words("dispatched"), ["load-failed", "load-failed"]);
    assert!(!Frame::shows_fallback(&checkout));
}

/// A page whose long timers expire when the test says so. No request gets a response.
const STALLED: &str = "<script>
    const timers = new Map();
    const { setTimeout: set, clearTimeout: clear } = window;
    window.setTimeout = (run, delay) => {
      if (!(delay >= 1000)) return set(run, delay);
      timers.set(timers.size + 1e9, run);
      return timers.size - 1 + 1e9;
    };
    window.clearTimeout = (id) => timers.delete(id) || clear(id);
    timeOut = () => {
      const due = [...timers.values()];
      timers.clear();
      for (const run of due) run();
    };
    fetch = (_, { signal }) => new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
</script>";

#[wasm_bindgen_test]
async fn a_stalled_download_ends_with_one_time_out() {
    let proxy = Proxy::new();
    // Nothing of the module arrives. In the second page, its glue does not arrive either.
    for glue in [
        "export default ({ module_or_path }) => module_or_path;",
        "await new Promise(() => {});",
    ] {
        let tag = format!("{STALLED}{}", Frame::tag(&module(glue), ""));
        let body = Frame::element(&proxy, "locale='ar'");
        let frame = Frame::open(&tag, &body).await;
        settled().await;
        assert_eq!(frame.words("dispatched"), [""; 0]);
        let time_out: js_sys::Function = frame.global("timeOut").unchecked_into();
        time_out.call0(&JsValue::UNDEFINED).unwrap();
        until("it fails", || frame.words("dispatched") == ["load-failed"]).await;
        // The texts of the buyer's language don't arrive either; English needs none.
        let checkout = frame.checkouts().remove(0);
        until("it says so", || said(&checkout).ends_with("Try again")).await;
    }
}

/// A browser imports a URL once: the same URL again would wait for the import that has stalled.
#[wasm_bindgen_test]
async fn after_a_stalled_import_the_next_try_imports_another_url() {
    let proxy = Proxy::new();
    let glue = module("await new Promise(() => {});");
    let tag = format!("{STALLED}{}", Frame::tag(&glue, ""));
    let frame = Frame::open(&tag, &Frame::element(&proxy, "")).await;
    settled().await;
    let time_out: js_sys::Function = frame.global("timeOut").unchecked_into();
    time_out.call0(&JsValue::UNDEFINED).unwrap();
    until("it fails", || frame.words("dispatched").len() == 1).await;
    let checkout = frame.checkouts().remove(0);
    let refresh = js_sys::Reflect::get(&checkout, &"refresh".into()).unwrap();
    let refresh: js_sys::Function = refresh.unchecked_into();
    refresh.call0(&checkout).unwrap();
    // There is no module at the other URL, so that this try fails at once.
    until("it fails again", || frame.words("dispatched").len() == 2).await;
}

/// By then the next try may have started a module already.
#[wasm_bindgen_test]
async fn an_import_that_finishes_after_its_time_out_starts_nothing() {
    let proxy = Proxy::new();
    let glue = module(
        "await new Promise((resolve) => { globalThis.finishImport = resolve; });
         export default async () => { globalThis.wasStarted = true; };
         export const on_panic = () => {};
         export const stack_pointer = () => 0;",
    );
    let tag = format!("{STALLED}{}", Frame::tag(&glue, ""));
    let frame = Frame::open(&tag, &Frame::element(&proxy, "")).await;
    until("the import has stalled", || {
        frame.global("finishImport").is_function()
    })
    .await;
    for function in ["timeOut", "finishImport"] {
        let function: js_sys::Function = frame.global(function).unchecked_into();
        function.call0(&JsValue::UNDEFINED).unwrap();
        until("it fails", || frame.words("dispatched") == ["load-failed"]).await;
    }
    settled().await;
    assert!(frame.global("wasStarted").is_undefined());
}

#[wasm_bindgen_test]
async fn an_element_that_was_removed_when_the_module_failed_starts_again() {
    let proxy = Proxy::new();
    let glue = module(&QUIET_GLUE.replace(
        "export default async () => {};",
        "let starts = 0;
         export default async () => {
           if (starts++ === 0) await new Promise((_, reject) => { globalThis.failStart = reject; });
         };",
    ));
    let frame = Frame::open(&Frame::tag(&glue, ""), &Frame::element(&proxy, "")).await;
    until("the module starts", || {
        frame.global("failStart").is_function()
    })
    .await;
    let checkout = frame.checkouts().remove(0);
    checkout.remove();
    settled().await;
    let fail: js_sys::Function = frame.global("failStart").unchecked_into();
    fail.call0(&JsValue::UNDEFINED).unwrap();
    settled().await;
    assert_eq!(frame.words("dispatched"), [""; 0]);

    let body = frame.document().body().unwrap();
    body.append_child(&checkout).unwrap();
    until("it is shown", || frame.mounted() == 1).await;
    assert_eq!(frame.words("dispatched"), [""; 0]);
}

#[wasm_bindgen_test]
async fn a_failure_in_a_language_that_is_loaded_is_not_shown_in_english_first() {
    let proxy = Proxy::new();
    let body = Frame::element(&proxy, "locale='ar'");
    let frame = Frame::open(&Frame::tag("missing.js", ""), &body).await;
    let checkout = frame.checkouts().remove(0);
    until("it is in Arabic", || {
        said(&checkout).ends_with("إعادة المحاولة")
    })
    .await;
    let watch = js_sys::Function::new_with_args(
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
    let languages: js_sys::Array = languages.unwrap().unchecked_into();
    assert_eq!(languages.join(" "), "ar");
}

#[wasm_bindgen_test]
async fn the_loader_speaks_the_language_of_the_element() {
    let proxy = Proxy::new();
    let frame = Frame::open(&Frame::tag("missing.js", ""), &Frame::element(&proxy, "")).await;
    let checkout = frame.checkouts().remove(0);
    let direction = || {
        let notice = Frame::card(&checkout)
            .query_selector("[part=notice]")
            .unwrap()
            .unwrap();
        let style = web_sys::window()
            .unwrap()
            .get_computed_style(&notice)
            .unwrap()
            .unwrap();
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
    let frame = Frame::open(
        &Frame::tag(&module(QUIET_GLUE), ""),
        &Frame::element(&proxy, ""),
    )
    .await;
    until("it is shown", || frame.mounted() == 1).await;
    settled().await;
    assert_eq!(frame.words("dispatched"), [""; 0]);
    assert!(!Frame::shows_fallback(&frame.checkouts()[0]));
}
