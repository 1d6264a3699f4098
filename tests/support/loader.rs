//! The real loader, with build values that the test chooses (`build.js`).

use js_sys::Array;
use web_sys::{Blob, BlobPropertyBag, Document, Element, Url};

use super::subject::{ARABIC, LOADER};

/// The loader's script, which imports the glue from this address.
pub(crate) fn text(glue: &str) -> String {
    let build = serde_json::json!({
        "loader": "loader.js",
        "glue": glue,
        "wasm": "data:application/wasm,",
        "locales": locales(),
        "version": env!("CARGO_PKG_VERSION"),
    });
    format!("globalThis.tenderBuild = {build};\n{LOADER}")
}

/// One locale that exists, and two whose files are missing.
fn locales() -> serde_json::Value {
    let arabic = String::from(js_sys::encode_uri_component(ARABIC));
    let arabic = format!("data:application/json,{arabic}");
    serde_json::json!({
        "ar": arabic,
        "ja": "https://texts.invalid/ja.json",
        "ko": "https://texts.invalid/ko.json",
    })
}

/// The address of a JavaScript module with this source.
pub(crate) fn module(text: &str) -> String {
    let kind = BlobPropertyBag::new();
    kind.set_type("text/javascript");
    let parts = Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &kind).unwrap();
    Url::create_object_url_with_blob(&blob).unwrap()
}

/// Runs the loader as a classic script after `place`, with these `data-` attributes.
pub(crate) fn run_after(document: &Document, place: &Element, text: &str, data: &[(&str, &str)]) {
    let script = document.create_element("script").unwrap();
    for (name, value) in data {
        script
            .set_attribute(&format!("data-{name}"), value)
            .unwrap();
    }
    script.set_text_content(Some(text));
    place.after_with_node_1(&script).unwrap();
}
