//! Scripts in a page.

use js_sys::Array;
use web_sys::{Blob, BlobPropertyBag, Document, Element, Url};

/// The address of a JavaScript module with this source.
pub fn module(text: &str) -> String {
    let kind = BlobPropertyBag::new();
    kind.set_type("text/javascript");
    let parts = Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &kind).unwrap();
    Url::create_object_url_with_blob(&blob).unwrap()
}

/// Runs the loader as a classic script after `place`.
pub fn run_after(document: &Document, place: &Element, text: &str) {
    let script = document.create_element("script").unwrap();
    script.set_text_content(Some(text));
    place.after_with_node_1(&script).unwrap();
}
