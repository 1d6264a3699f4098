//! Pages with hostile styles: the checkout looks and works the same on all of them, and doesn't change the page.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{Emulation, Stage, State};

/// Rules that match every element, or that set every inherited property.
const HOSTILE: [&str; 10] = [
    "* { all: unset !important }",
    "* { all: revert !important }",
    "* { display: block !important; position: static !important; color: red !important; direction: rtl !important }",
    "* { display: inline !important }",
    "* { display: flex !important; flex-direction: row !important }",
    "* { display: grid !important }",
    "* { font: 40px/3 cursive !important; letter-spacing: 5px !important; text-align: center !important; \
         text-indent: 50px !important; text-transform: uppercase !important; white-space: pre !important; \
         word-spacing: 1em !important; word-break: break-all !important; hyphens: auto !important }",
    "body * { visibility: hidden !important; cursor: wait !important; pointer-events: none !important; \
         user-select: none !important; -webkit-user-select: none !important; caret-color: transparent !important }",
    "* { color-scheme: dark !important; forced-color-adjust: none !important; list-style: square !important; \
         quotes: '-' !important; writing-mode: horizontal-tb !important; unicode-bidi: bidi-override !important }",
    ":root { font-size: 62.5%; --surface: red; --text: red; --font: cursive; --accent: red }",
];

/// Together they contain every kind of control.
const STATES: [&str; 5] = [
    "chosen, with a conversion",
    "field with a problem",
    "hash with a problem",
    "cancel?",
    "cancelled",
];

const MEASURE: &str = include_str!("looks/measure.js");

#[tokio::test(flavor = "multi_thread")]
async fn the_page_s_styles_do_not_reach_inside() {
    let stage = Stage::open("en").await;
    for name in STATES {
        let checkout = State::named(name).reach(&stage).await;
        stage.browser.emulate_screen(Emulation::phone(400)).await;
        stage.browser.point_away().await;
        // The page decides the width.
        let script = "arguments[0].style.cssText = 'width: 400px !important; max-width: none !important; \
                      flex: none !important'; return null";
        let host = checkout.host.to_json().unwrap();
        let _: Value = stage.browser.run(script, [host.clone()]).await;
        // The first is no hostile style: the page alone must be right.
        for css in [""].into_iter().chain(HOSTILE) {
            let css = format!("{css} html body {{ margin: 0 !important }}");
            stage.browser.set_style(&css).await;
            stage.browser.is_drawn().await;
            let other: (i32, Vec<String>) = stage.browser.run(MEASURE, [host.clone()]).await;
            assert_eq!(other, (0, Vec::new()), "{name}, {css}");
        }
    }
}

/// In any container, the element is as wide as allowed, and never wider than its container.
#[tokio::test(flavor = "multi_thread")]
async fn it_fills_its_place_in_every_layout() {
    let stage = Stage::open("en").await;
    let checkout = State::named("chosen, with a conversion")
        .reach(&stage)
        .await;
    for (css, narrow, wide) in [
        ("", 320, 448),
        ("main { display: flex }", 320, 448),
        // Containers that size themselves by their content.
        ("main { display: grid; justify-content: start }", 272, 288),
        (
            "main { display: flex } tender-checkout { margin: 0 10px }",
            300,
            448,
        ),
        (
            "main { display: flex; flex-direction: column; align-items: center }",
            320,
            448,
        ),
        ("tender-checkout { float: left }", 320, 448),
        ("tender-checkout { display: inline-block }", 320, 448),
        ("tender-checkout { position: absolute }", 320, 448),
        ("body { zoom: 2 }", 320, 896),
        // Styles that the shop may set.
        ("tender-checkout { max-width: none }", 320, 1280),
        ("tender-checkout { width: 300px; margin: 10px }", 300, 300),
    ] {
        let css = format!("h1 {{ display: none }} {css}");
        stage.browser.set_style(&css).await;
        for (screen, expected) in [(320, narrow), (1280, wide)] {
            let phone = Emulation::phone(screen);
            stage.browser.emulate_whole_page(phone).await;
            let host = checkout.host.to_json().unwrap();
            let script = "const card = arguments[0].shadowRoot.querySelector('[part=card]');
                return Math.round(card.getBoundingClientRect().width)";
            let width: u32 = stage.browser.run(script, [host]).await;
            assert_eq!(width, expected, "{css} at {screen}");
        }
    }
}

/// The shop can hide the element as usual, and `theme` sets the colour scheme.
#[tokio::test(flavor = "multi_thread")]
async fn the_shop_hides_it_and_sets_its_theme() {
    let stage = Stage::open("en").await;
    let checkout = State::named("choosing").reach(&stage).await;
    let host = || checkout.host.to_json().unwrap();
    for (css, hidden, is_seen) in [
        ("", false, true),
        ("", true, false),
        ("tender-checkout { display: block !important }", true, false),
        ("tender-checkout { display: none }", false, false),
        ("main { display: none }", false, false),
    ] {
        stage.browser.set_style(css).await;
        let script = "arguments[0].hidden = arguments[1];
            return arguments[0].shadowRoot.querySelector('[part=card]').checkVisibility()";
        let seen: bool = stage.browser.run(script, [host(), json!(hidden)]).await;
        assert_eq!(seen, is_seen, "{css}, hidden: {hidden}");
        stage.browser.set_style("").await;
    }
    let script = "arguments[0].hidden = false; arguments[0].theme = arguments[1];
        return getComputedStyle(arguments[0]).colorScheme";
    for (theme, scheme) in [("auto", "light dark"), ("light", "light"), ("dark", "dark")] {
        for css in ["", HOSTILE[0], HOSTILE[8]] {
            stage.browser.set_style(css).await;
            let computed: String = stage.browser.run(script, [host(), json!(theme)]).await;
            assert_eq!(computed, scheme, "{theme}, {css}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_stays_as_it_is() {
    let stage = Stage::open("en").await;
    let proxy = stage.servers.proxy_url();
    let order = stage.servers.order("INV-1042");
    let around = "<h1>A shop</h1><p class=card>Text <a href=#>link</a></p><form class=form>
        <label class=token><input type=radio>One</label><button class=primary>Buy</button></form>
        <section class=payment id=payment><h2 id=amount>Two</h2><code class=wallet>0</code></section>";
    let page = stage.servers.page(&format!(
        "<style>:root {{ overflow-y: scroll }}</style>
         <main>{around}<tender-checkout proxy=\"{proxy}\" order=\"{order}\"></tender-checkout>{around}</main>"
    ));
    let checkout = stage.browser.visit(&page).await;
    let script = "
        const around = document.querySelectorAll('main > :not(tender-checkout), main > :not(tender-checkout) *');
        const seen = { head: document.head.innerHTML, sheets: String(document.adoptedStyleSheets.length) };
        for (const name of Object.keys(window)) seen[`window ${name}`] = '';
        for (const [index, element] of around.entries()) {
          const styles = getComputedStyle(element);
          for (const name of styles) seen[`${index} ${element.localName} ${name}`] = styles.getPropertyValue(name);
        }
        return seen";
    let before: BTreeMap<String, String> = stage.browser.run(script, []).await;
    let load = "const script = document.createElement('script'); script.src = arguments[0];
        document.querySelector('tender-checkout').append(script); return null";
    let source = json!(format!("{proxy}/v1/checkout.js"));
    let _: Value = stage.browser.run(load, [source]).await;
    checkout.is_choosing().await;
    let mut after: BTreeMap<String, String> = stage.browser.run(script, []).await;
    after.retain(|what, value| before.get(what) != Some(value));
    assert!(after.is_empty(), "{after:?}");
}
