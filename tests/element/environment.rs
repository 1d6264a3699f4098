//! The loader in pages and browsers that differ from what it expects: changed built-ins, missing
//! features, changes while the module loads, other documents, sandboxed frames.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement, HtmlIFrameElement};

use crate::support::frame::{BROKEN_GLUE, Frame, QUIET_GLUE, late_glue};
use crate::support::loader::module;
use crate::support::proxy::{CREATE, Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::subject::SUBJECT;
use crate::support::wait::{settled, until};

/// `flex` if the style sheet applies.
fn display(checkout: &Element) -> String {
    let window = checkout.owner_document().unwrap().default_view().unwrap();
    let styles = window.get_computed_style(&Frame::card(checkout));
    let styles = styles.unwrap().unwrap();
    styles.get_property_value("display").unwrap()
}

fn text(checkout: &Element) -> String {
    Frame::card(checkout).text_content().unwrap()
}

#[wasm_bindgen_test]
async fn a_locale_that_changes_while_the_module_loads_is_the_one_that_is_mounted() {
    let frame = Frame::with("", &late_glue()).await;
    frame.checkout().set_attribute("locale", "ar").unwrap();
    settled().await;
    frame.arrive().await;
    assert_eq!(frame.words("locales"), ["ar"]);
}

#[wasm_bindgen_test]
async fn attributes_that_change_while_the_element_is_mounted_are_read_again() {
    // As a page that corrects them in its first `config-invalid` handler, which runs inside `mount`.
    let glue = QUIET_GLUE.replace(
        "mounted.push(host);",
        "mounted.push(host); host.quantity = '2';",
    );
    let frame = Frame::with("", &glue).await;
    until("the change is passed on", || {
        frame.words("calls").contains(&"update".to_owned())
    })
    .await;
}

#[wasm_bindgen_test]
async fn a_locale_that_is_named_like_a_built_in_property_is_english() {
    let body = Frame::element("locale='constructor'");
    let watch = "<script>errors = []; addEventListener('error', ({ message }) => errors.push(message));</script>";
    let tag = format!("{watch}{}", Frame::tag(&module(QUIET_GLUE), ""));
    let frame = Frame::open(&tag, &body).await;
    frame.until_mounted().await;
    settled().await;
    assert_eq!(frame.words("locales"), ["en"]);
    assert_eq!(frame.words("errors"), [""; 0]);
}

/// As browsers, servers and older programs write them.
#[wasm_bindgen_test]
async fn each_form_of_a_locale_finds_its_texts() {
    let forms = [
        ("ar_EG", "ar"),
        ("iw", "he"),
        ("iw_IL", "he"),
        ("in-ID", "id"),
        ("in", "id"),
        ("zh_CN", "zh"),
        ("zh-Hans-HK", "zh"),
        // Another script than that of the texts.
        ("zh-TW", "en"),
        ("zh_Hant_TW", "en"),
        ("zh-HK", "en"),
        // Not Indonesian.
        ("inh", "en"),
    ];
    let elements = forms.map(|(form, _)| Frame::element(&format!("locale='{form}'")));
    let by_the_page = format!("<div lang='iw_IL'>{}</div>", Frame::element(""));
    // Shops put elements into the shadow roots of their own.
    let in_a_shadow_root = format!(
        "<div lang='ar-EG'><div><template shadowrootmode='open'>{}</template></div></div>",
        Frame::element("")
    );
    let body = elements.concat() + &by_the_page + &in_a_shadow_root;
    let frame = Frame::open(&Frame::tag(&module(QUIET_GLUE), ""), &body).await;
    until("all are mounted", || frame.mounted() == forms.len() + 2).await;
    let mut expected = forms.map(|(_, locale)| locale).to_vec();
    expected.extend(["he", "ar"]);
    assert_eq!(frame.words("locales"), expected);
}

#[wasm_bindgen_test]
async fn the_skeleton_has_no_text_where_a_library_replaced_array_from() {
    // Prototype.js 1.6
    let library = "<script>Array.from = (list) => {
        let length = list.length || 0;
        const results = new Array(length);
        while (length--) results[length] = list[length];
        return results;
    };</script>";
    let frame = Frame::with(library, &late_glue()).await;
    let checkout = frame.checkout();
    assert_eq!(text(&checkout), "");
    let skeleton = Frame::card(&checkout).first_element_child().unwrap();
    assert_eq!(skeleton.class_name(), "skeleton");
    assert_eq!(skeleton.child_element_count(), 8);
    frame.arrive().await;
}

#[wasm_bindgen_test]
async fn the_fallback_is_shown_where_a_library_extended_every_object() {
    let library = "<script>Object.prototype['no attribute'] = function () {};</script>";
    let frame = Frame::with(library, BROKEN_GLUE).await;
    until("it says so", || {
        text(&frame.checkout()).ends_with("Try again")
    })
    .await;
    assert!(frame.shows_fallbacks());
    assert_eq!(frame.words("dispatched"), ["load-failed"]);
}

/// What a browser that is too old lacks.
const TOO_OLD: [&str; 4] = [
    "delete window.WebAssembly;",
    // Without reference types; the module uses them.
    "WebAssembly.Module = class extends WebAssembly.Module {
       constructor(bytes) { if (bytes.includes(0x6f)) throw new WebAssembly.CompileError(); super(bytes); }
     };",
    "delete CSSStyleSheet.prototype.replaceSync;",
    "delete Document.prototype.adoptedStyleSheets; delete ShadowRoot.prototype.adoptedStyleSheets;",
];

#[wasm_bindgen_test]
async fn a_browser_that_is_too_old_is_told_before_anything_is_requested() {
    for browser in TOO_OLD {
        let proxy = Proxy::new();
        let head = format!("<script>{browser}</script>");
        let frame = Frame::of(&proxy, &head, QUIET_GLUE).await;
        let checkout = frame.checkout();
        until("it says so", || {
            checkout.shadow_root().is_some() && text(&checkout).contains("Use another browser")
        })
        .await;
        assert!(frame.shows_fallbacks(), "{browser}");
        let is_styled = display(&checkout) == "flex";
        assert_eq!(is_styled, browser.contains("WebAssembly"), "{browser}");
        assert_eq!(frame.words("dispatched"), ["load-failed"], "{browser}");
        settled().await;
        assert_eq!(proxy.sent(TOKENS).len(), 0, "{browser}");
        assert!(frame.global("mounted").is_undefined(), "{browser}");
    }
}

#[wasm_bindgen_test]
async fn a_browser_of_2022_is_not_too_old() {
    let proxy = Proxy::new();
    let browser = "<script>
        delete AbortSignal.timeout; delete AbortSignal.any; delete Array.prototype.findLast;
        delete Array.prototype.at; delete window.scheduler; delete Promise.withResolvers;
        delete Object.groupBy; delete URL.canParse; delete window.structuredClone;
    </script>";
    let frame = Frame::of(&proxy, browser, QUIET_GLUE).await;
    frame.until_mounted().await;
    until("the listing is requested", || {
        !proxy.sent(TOKENS).is_empty()
    })
    .await;
    assert_eq!(proxy.sent(TOKENS).len(), 1);
    assert_eq!(frame.words("dispatched"), [""; 0]);
}

/// A document adopts only style sheets of its own.
#[wasm_bindgen_test]
async fn an_element_keeps_its_styles_in_another_document_and_back() {
    let frame = Frame::with("", QUIET_GLUE).await;
    frame.until_mounted().await;
    let checkout = frame.checkout();
    let other = frame.document().create_element("iframe").unwrap();
    frame.append(&other);
    let other: HtmlIFrameElement = other.unchecked_into();
    let here = frame.document().body().unwrap();
    let there = other.content_document().unwrap().body().unwrap();
    for place in [there, here] {
        place.append_child(&checkout).unwrap();
        settled().await;
        assert_eq!(display(&checkout), "flex");
    }
}

/// In a frame that is sandboxed without `allow-forms`, the browser submits no form.
#[wasm_bindgen_test]
async fn the_button_pays_once_with_forms_and_without() {
    for sandbox in [
        "allow-scripts allow-same-origin",
        "allow-scripts allow-same-origin allow-forms",
    ] {
        let proxy = Proxy::new();
        let head = format!(
            "<script>tender = parent.tender;</script><script>{}</script>",
            SUBJECT.script()
        );
        let frame = Frame::sandboxed(Some(sandbox), &head, &Frame::element_of(&proxy, "")).await;
        let find = |selector: &str| -> Option<HtmlElement> {
            let root = frame.checkout().shadow_root().unwrap();
            let found = root.query_selector(selector).unwrap();
            found.map(JsCast::unchecked_into)
        };
        until("the tokens are shown", || find("[value=btc]").is_some()).await;
        find("[value=btc]").unwrap().click();
        proxy.reply(CREATE, Reply::ok(record::payment(None)));
        find("[part=submit]").unwrap().click();
        until("the payment is shown", || find("[part=amount]").is_some()).await;
        assert_eq!(proxy.sent(CREATE).len(), 1, "{sandbox}");
        frame.checkout().remove();
        settled().await;
    }
}
