//! What the tab keeps for as long as it is open: `sessionStorage`.
//!
//! A page without it, as in a sandboxed frame, begins anew after a reload.

use web_sys::{Storage, window};

/// What is kept under this key.
#[must_use]
pub fn read(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Keeps this under the key, and nothing else; `None` forgets it.
pub fn write(key: &str, value: Option<&str>) {
    let Some(storage) = storage() else { return };
    // Where the tab has no room for it, a reload begins anew.
    let _ = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
}

fn storage() -> Option<Storage> {
    window()?.session_storage().ok().flatten()
}
