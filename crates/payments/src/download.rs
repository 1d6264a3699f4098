//! Offers a file for download. The browser creates it; no server is involved.

use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, Url};

#[wasm_bindgen]
extern "C" {
    type Link;

    // The page can replace this method, as every other.
    #[wasm_bindgen(method, catch)]
    fn click(this: &Link) -> Result<(), JsValue>;
}

/// Offers a text file for download.
pub(crate) fn offer(name: &str, media_type: &str, content: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&JsValue::from_str(content));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let link = document().create_element("a")?;
    link.set_attribute("href", &url)?;
    link.set_attribute("download", name)?;
    let clicked = link.unchecked_into::<Link>().click();
    Url::revoke_object_url(&url)?;
    clicked
}
