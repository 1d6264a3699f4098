//! The state of an order that the tab saves, so that a reload continues with the same payment.
//!
//! Without `sessionStorage`, a reload starts without saved state. That is not an error: the proxy still returns the
//! existing payment of a signed order.

use tender_checkout_core::Config;
use tender_element::storage;

/// The saved state.
pub(crate) fn read(config: &Config) -> Option<String> {
    storage::read(&key(config))
}

/// Saves the state; `None` removes it.
pub(crate) fn write(config: &Config, state: Option<&str>) {
    storage::write(&key(config), state);
}

/// A shop can use several proxies, and a proxy can serve several shops on one origin.
pub(crate) fn key(config: &Config) -> String {
    key_of(&config.proxy, &config.order.claims().invoice_number)
}

fn key_of(proxy: &str, invoice: &str) -> String {
    format!("tender-checkout {proxy} {invoice}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_loader_has_the_same_key() {
        let template = super::key_of("${proxy}", "${invoice}");
        assert!(include_str!("storage-key.js").contains(&format!("`{template}`")));
    }
}
