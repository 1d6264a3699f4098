//! The page's clipboard: a headless browser does not grant access to the real one.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(inline_js = "
    let text;
    export const replaceClipboard = () => {
      const value = { writeText: async (copied) => { text = copied; } };
      Object.defineProperty(navigator, 'clipboard', { value });
    };
    export const takeCopied = () => {
      const taken = text;
      text = undefined;
      return taken;
    };
")]
extern "C" {
    #[wasm_bindgen(js_name = replaceClipboard)]
    pub(crate) fn replace_clipboard();

    /// Returns the last copied text, and clears it.
    #[wasm_bindgen(js_name = takeCopied)]
    pub fn take() -> Option<String>;
}
