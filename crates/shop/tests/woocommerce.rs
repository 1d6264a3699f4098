//! The gateway in `examples/shops/woocommerce`: its own test, with stand-ins for what it calls.

use tender_programs::shops::{Example, PHP};

/// The plugin as docs/shops.md installs it.
const GATEWAY: Example = Example {
    name: "WooCommerce",
    folder: "examples/shops/woocommerce",
    prepare: concat!(
        "cp '",
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/shops/php/tender.php' ."
    ),
    probe: "php --version",
    ..PHP
};

#[test]
fn a_paid_order_is_completed_once() {
    // Then the file that WordPress loads, which needs more of it.
    let script = "php -d zend.assertions=1 -d display_errors=stderr test.php 2>&1
        php -l tender-gateway.php >&2";
    if let Some(printed) = GATEWAY.printed_by(script, "", "") {
        assert_eq!(printed, "all passed\n");
    }
}
