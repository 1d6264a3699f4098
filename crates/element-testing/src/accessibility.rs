//! Roles and names as assistive technology gets them: a library computes them. Chromium can do so in a page, too, but then needs three
//! times as long for all tests, so that only the tests that compare both run there.

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use crate::mounted::{MEANINGFUL, Mounted, is_seen};

/// Built by `cargo xtask loaders` from `accessibility.js`.
const LIBRARY: &str = include_str!("../../../target/loaders/accessibility.js");

thread_local! {
    static COMPUTED: JsValue = Function::new_no_args(&format!("{LIBRARY}; return accessibility;"))
        .call0(&JsValue::UNDEFINED)
        .unwrap();
}

/// The role in the accessibility tree.
pub fn role(element: &Element) -> String {
    by_library(element, "role")
}

/// The accessible name.
pub fn name(element: &Element) -> String {
    by_library(element, "name")
}

/// Stops unless the library and the browser compute the same for each shown element of the shadow tree that can have a role.
/// They differ in the names of a table's rows and cells, and in what is not shown, is inert, or is behind a modal dialog; no
/// test asks for these.
pub fn assert_agreement(mounted: &Mounted) {
    let difference = |element: Element| {
        let by_browser = ["computedRole", "computedName"].map(|property| {
            by_browser(&element, property).expect(
                "Chromium computes roles and names with --enable-blink-features=ComputedAccessibilityInfo: \
                 see `cargo xtask test browser --engine chromium-accessibility`",
            )
        });
        let by_library = ["role", "name"].map(|function| by_library(&element, function));
        let html = element.outer_html();
        (by_library != by_browser).then(|| format!("{by_library:?}, {by_browser:?}: {html}"))
    };
    let modal = mounted.all("dialog:modal").pop();
    let is_asked = |element: &Element| {
        is_seen(element)
            && !element.matches("tr, td, [inert] *").unwrap()
            && modal
                .as_ref()
                .is_none_or(|modal| modal.contains(Some(element)))
    };
    let mut elements = mounted.all(MEANINGFUL);
    elements.retain(is_asked);
    let differences: Vec<_> = elements.into_iter().filter_map(difference).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// `computedRole` or `computedName` in Chromium with --enable-blink-features=ComputedAccessibilityInfo.
fn by_browser(element: &Element, property: &str) -> Option<String> {
    let value = Reflect::get(element, &property.into()).unwrap();
    value.as_string()
}

/// `role` or `name`, computed by the library.
fn by_library(element: &Element, function: &str) -> String {
    COMPUTED.with(|computed| {
        let function: Function = Reflect::get(computed, &function.into())
            .unwrap()
            .unchecked_into();
        let value = function.call1(&JsValue::UNDEFINED, element).unwrap();
        value.as_string().unwrap()
    })
}
