//! The real loader, filled in as the build fills it in.

use js_sys::Array;
use web_sys::{Blob, BlobPropertyBag, Document, Element, Url};

use super::subject::{ARABIC, LOADER, STYLE};

const SHARED: &str = include_str!("../../crates/element/loader.js");

/// The loader's text, with the address of the glue that it will import.
pub(crate) fn text(glue: &str) -> String {
    let values = [
        ("\"__TENDER_GLUE__\"", glue),
        ("\"__TENDER_WASM__\"", "data:application/wasm,"),
        ("\"__TENDER_STYLE__\"", STYLE),
        ("\"__TENDER_LANGUAGES__\"", &languages()),
        ("\"__TENDER_VERSION__\"", env!("CARGO_PKG_VERSION")),
    ];
    let source = LOADER.replace("\"__TENDER_LOADER__\";", SHARED);
    values.iter().fold(source, |text, (name, value)| {
        assert_eq!(
            text.matches(name).count(),
            1,
            "{name} stands once in the loader"
        );
        text.replace(name, &serde_json::to_string(value).unwrap())
    })
}

/// One language that is there, and one whose file is not.
fn languages() -> String {
    let arabic = String::from(js_sys::encode_uri_component(ARABIC));
    let arabic = format!("data:application/json,{arabic}");
    serde_json::json!({ "ar": arabic, "ja": "https://texts.invalid/ja.json" }).to_string()
}

/// The address of a JavaScript module with this text.
pub(crate) fn module(text: &str) -> String {
    let kind = BlobPropertyBag::new();
    kind.set_type("text/javascript");
    let parts = Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &kind).unwrap();
    Url::create_object_url_with_blob(&blob).unwrap()
}

/// Runs the loader as a classic script behind `place`, whose `data-` attributes are `data`.
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
