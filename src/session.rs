//! What the tab remembers of an order, for as long as it is open: `sessionStorage`.
//!
//! A page without it, as in a sandboxed frame, begins anew after a reload. That is no fault to tell
//! anyone of: the proxy knows the order all the same.

use tender_core::Config;
use web_sys::{Storage, window};

/// What was remembered of the order.
pub(crate) fn read(config: &Config) -> Option<String> {
    storage()?.get_item(&key(config)).ok().flatten()
}

/// Remembers this of the order, and nothing else; `None` forgets it.
pub(crate) fn write(config: &Config, memory: Option<&str>) {
    let Some(storage) = storage() else { return };
    // Where the tab has no room for it, a reload begins anew.
    let _ = match memory {
        Some(memory) => storage.set_item(&key(config), memory),
        None => storage.remove_item(&key(config)),
    };
}

fn storage() -> Option<Storage> {
    window()?.session_storage().ok().flatten()
}

/// One shop may use several proxies, and one proxy serves several shops on one origin.
fn key(config: &Config) -> String {
    let invoice = &config.order.claims().invoice_number;
    format!("tender-checkout {} {invoice}", config.proxy)
}
