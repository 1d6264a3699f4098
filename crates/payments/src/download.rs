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

/// The URL of a file, which the browser keeps in memory until this is dropped.
pub(crate) struct FileUrl(String);

impl Drop for FileUrl {
    fn drop(&mut self) {
        // Fails only if the page has replaced it. Then the file stays in memory.
        let _ = Url::revoke_object_url(&self.0);
    }
}

/// Offers a text file for download. Some browsers read it after this returns, so the caller keeps the URL for a while.
pub(crate) fn offer(name: &str, media_type: &str, content: &str) -> Result<FileUrl, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&JsValue::from_str(content));
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let url = FileUrl(Url::create_object_url_with_blob(&blob)?);
    let link = document().create_element("a")?;
    link.set_attribute("href", &url.0)?;
    link.set_attribute("download", name)?;
    link.unchecked_into::<Link>().click()?;
    Ok(url)
}
