//! What the tab remembers of an order, for as long as it is open.
//!
//! Where it can't, a reload begins anew. That is no fault to tell anyone of: the proxy knows the
//! order all the same.

use tender_checkout_core::Config;
use tender_element::storage;

/// What was remembered of the order.
pub(crate) fn read(config: &Config) -> Option<String> {
    storage::read(&key(config))
}

/// Remembers this of the order, and nothing else; `None` forgets it.
pub(crate) fn write(config: &Config, memory: Option<&str>) {
    storage::write(&key(config), memory);
}

/// One shop may use several proxies, and one proxy serves several shops on one origin.
fn key(config: &Config) -> String {
    let invoice = &config.order.claims().invoice_number;
    format!("tender-checkout {} {invoice}", config.proxy)
}
