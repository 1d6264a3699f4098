//! The loader in a page of its own: each test uses a frame.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement};

use crate::support::frame::{Frame, QUIET_GLUE};
use crate::support::loader::module;
use crate::support::proxy::{Proxy, Reply, TOKENS};
use crate::support::wait::{settled, until};

/// An element in the frame's page, as a shop writes it.
fn element(proxy: &Proxy) -> String {
    format!(
        "<tender-checkout proxy='{}' token='usdtt' quantity='1' invoice-number='INV-7'>\
         <a href='/pay'>Pay another way</a></tender-checkout>",
        proxy.address()
    )
}

fn card(checkout: &Element) -> Element {
    let root = checkout.shadow_root().unwrap();
    root.query_selector("[part=card]").unwrap().unwrap()
}

/// The loader's message in the card.
fn said(checkout: &Element) -> String {
    let texts = card(checkout)
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
        let body = [element(&proxy), element(&proxy)].concat();
        let frame = Frame::open(&Frame::tag(&glue, ""), &body).await;
        until("both have failed", || frame.words("told").len() == 2).await;
        assert_eq!(frame.words("told"), ["load-failed", "load-failed"]);
        for checkout in frame.checkouts() {
            assert!(Frame::shows_fallback(&checkout));
            assert_eq!(
                said(&checkout),
                "The checkout could not be loaded Check your connection, then try again. Try again"
            );
            assert_eq!(card(&checkout).get_client_rects().length(), 1);
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
    let frame = Frame::open(&Frame::tag(&glue, ""), &element(&proxy)).await;
    until("the first one fails", || frame.words("told").len() == 1).await;

    let next = frame.document().create_element("tender-checkout").unwrap();
    next.set_attribute("proxy", proxy.address()).unwrap();
    frame
        .document()
        .body()
        .unwrap()
        .append_child(&next)
        .unwrap();
    until("the next one is shown", || mounted(&frame) == 1).await;
    assert_eq!(frame.words("told"), ["load-failed"]);
}

#[wasm_bindgen_test]
async fn a_start_that_failed_is_tried_again_by_the_buyer_and_by_the_page() {
    let proxy = Proxy::new();
    let glue = module(&format!(
        "{}\nlet starts = 0;\nexport default async () => {{ if (starts++ < 2) throw new Error('twice'); }};",
        QUIET_GLUE.replace("export default async () => {};", "")
    ));
    let frame = Frame::open(&Frame::tag(&glue, ""), &element(&proxy)).await;
    until("it fails", || frame.words("told").len() == 1).await;
    let checkout = frame.checkouts().remove(0);
    let retry = card(&checkout).query_selector("[part=retry]");
    retry
        .unwrap()
        .unwrap()
        .unchecked_into::<HtmlElement>()
        .click();
    until("it fails again", || frame.words("told").len() == 2).await;
    settled().await;

    // Moving the element does not retry.
    frame
        .document()
        .body()
        .unwrap()
        .append_child(&checkout)
        .unwrap();
    settled().await;
    assert_eq!(mounted(&frame), 0);
    let refresh = js_sys::Reflect::get(&checkout, &"refresh".into()).unwrap();
    let refresh: js_sys::Function = refresh.unchecked_into();
    refresh.call0(&checkout).unwrap();
    until("it is shown", || mounted(&frame) == 1).await;
    assert_eq!(frame.words("told"), ["load-failed", "load-failed"]);
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
        let body = element(&proxy).replace("<tender-checkout", "<tender-checkout locale='ar'");
        let frame = Frame::open(&tag, &body).await;
        settled().await;
        assert_eq!(frame.words("told"), [""; 0]);
        let time_out: js_sys::Function = frame.global("timeOut").unchecked_into();
        time_out.call0(&JsValue::UNDEFINED).unwrap();
        until("it fails", || frame.words("told") == ["load-failed"]).await;
        // The texts of the buyer's language don't arrive either; English needs none.
        let checkout = frame.checkouts().remove(0);
        until("it says so", || said(&checkout).ends_with("Try again")).await;
    }
}

#[wasm_bindgen_test]
async fn the_loader_speaks_the_language_of_the_element() {
    let proxy = Proxy::new();
    let frame = Frame::open(&Frame::tag("missing.js", ""), &element(&proxy)).await;
    let checkout = frame.checkouts().remove(0);
    let direction = || {
        let notice = card(&checkout)
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
    assert_eq!(frame.words("told"), ["load-failed"]);
}

#[wasm_bindgen_test]
async fn a_listing_that_is_lost_is_left_to_the_module_to_tell() {
    let proxy = Proxy::new();
    proxy.reply(TOKENS, Reply::Lost);
    let frame = Frame::open(&Frame::tag(&module(QUIET_GLUE), ""), &element(&proxy)).await;
    until("it is shown", || mounted(&frame) == 1).await;
    settled().await;
    assert_eq!(frame.words("told"), [""; 0]);
    assert!(!Frame::shows_fallback(&frame.checkouts()[0]));
}

#[wasm_bindgen_test]
async fn a_page_without_an_element_asks_for_nothing_until_there_is_one() {
    let proxy = Proxy::new();
    let frame = Frame::open(&Frame::tag(&module(QUIET_GLUE), ""), "<p>A shop</p>").await;
    settled().await;
    assert!(frame.global("mounted").is_undefined());

    let body = frame.document().body().unwrap();
    body.set_inner_html(&element(&proxy));
    until("it is shown", || mounted(&frame) == 1).await;
    assert_eq!(proxy.sent(TOKENS).len(), 1);
}

#[wasm_bindgen_test]
async fn a_tag_in_the_head_puts_its_element_into_the_body() {
    let proxy = Proxy::new();
    let data = format!(
        "data-proxy='{}' data-order='one.two.three' data-invoice-number='INV-7' data-theme='dark'",
        proxy.address()
    );
    let frame = Frame::open(&Frame::tag(&module(QUIET_GLUE), &data), "<p>A shop</p>").await;
    let found = frame.checkouts();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].parent_element().unwrap().local_name(), "body");
    let written = found[0].get_attribute_names();
    assert_eq!(written.length(), 4);
    assert_eq!(
        found[0].get_attribute("order").as_deref(),
        Some("one.two.three")
    );
    until("it is shown", || mounted(&frame) == 1).await;
}

#[wasm_bindgen_test]
async fn a_tag_in_the_body_puts_its_element_behind_itself() {
    let proxy = Proxy::new();
    let data = format!("data-proxy='{}'", proxy.address());
    let tag = Frame::tag(&module(QUIET_GLUE), &data);
    let frame = Frame::open("", &format!("<p>before</p>{tag}<p>after</p>")).await;
    let checkout = frame.checkouts().remove(0);
    let behind = checkout.next_element_sibling().unwrap();
    assert_eq!(behind.text_content().as_deref(), Some("after"));
    assert_eq!(
        checkout.previous_element_sibling().unwrap().local_name(),
        "script"
    );
}

#[wasm_bindgen_test]
async fn a_module_script_works_as_well() {
    let proxy = Proxy::new();
    let tag = Frame::tag(&module(QUIET_GLUE), "type='module'");
    let frame = Frame::open(&tag, &element(&proxy)).await;
    until("it is shown", || mounted(&frame) == 1).await;
}

#[wasm_bindgen_test]
async fn an_element_that_left_before_the_module_came_is_not_started() {
    let proxy = Proxy::new();
    // The module arrives when the test says so.
    let glue = module(&QUIET_GLUE.replace(
        "export default async () => {};",
        "export default () => new Promise((resolve) => { globalThis.arrive = resolve; });",
    ));
    let body = [element(&proxy), element(&proxy)].concat();
    let frame = Frame::open(&Frame::tag(&glue, ""), &body).await;
    until("the module is on its way", || {
        frame.global("arrive").is_function()
    })
    .await;
    let checkouts = frame.checkouts();
    checkouts[0].remove();
    // Moving the element in the meantime does not remove it.
    frame
        .document()
        .body()
        .unwrap()
        .prepend_with_node_1(&checkouts[1])
        .unwrap();
    settled().await;
    let arrive: js_sys::Function = frame.global("arrive").unchecked_into();
    arrive.call0(&JsValue::UNDEFINED).unwrap();
    until("the other is shown", || mounted(&frame) == 1).await;
    settled().await;
    assert_eq!(mounted(&frame), 1);
    assert_eq!(proxy.sent(TOKENS).len(), 1);
}

/// How many elements were mounted by the frame's module.
fn mounted(frame: &Frame) -> u32 {
    let mounted = frame.global("mounted").dyn_into::<js_sys::Array>();
    mounted.map_or(0, |mounted| mounted.length())
}
