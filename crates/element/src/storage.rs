//! `sessionStorage`: values that survive a reload of the tab.
//!
//! Where it is missing, as in a sandboxed frame, the element starts without saved state after a reload.

use web_sys::{Storage, window};

/// The value with this key.
pub fn read(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Sets or removes the value with this key.
pub fn write(key: &str, value: Option<&str>) {
    let Some(storage) = storage() else { return };
    // Fails when the storage is full: then a reload starts without saved state.
    let _ = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
}

fn storage() -> Option<Storage> {
    window()?.session_storage().ok().flatten()
}
