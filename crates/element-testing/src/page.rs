//! The test's page.

use std::sync::Once;

use web_sys::{Document, HtmlElement, Storage, window};

use crate::{clipboard, clock, proxy};

static PREPARED: Once = Once::new();

/// Replaces the browser's interfaces, on the first call only.
pub(crate) fn prepare() {
    PREPARED.call_once(|| {
        clock::replace_timers();
        proxy::install();
        clipboard::replace_clipboard();
    });
}

pub fn document() -> Document {
    window().unwrap().document().unwrap()
}

/// What the tab has saved.
pub fn session() -> Storage {
    window().unwrap().session_storage().unwrap().unwrap()
}

/// The parent of the tests' elements.
pub fn body() -> HtmlElement {
    document().body().unwrap()
}
