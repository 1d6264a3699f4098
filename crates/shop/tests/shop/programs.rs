//! The programs that the tests run, besides the example shops.

use tender_programs::shops::{Example, NODE, PHP};

/// The program in Rust of docs/fulfilment.md.
pub(crate) const RUST: Example = Example {
    name: "Rust",
    folder: "examples/rust",
    variable: "CARGO",
    // Of the whole workspace, as this test: otherwise cargo builds all dependencies again, with other features.
    prepare: concat!(
        "cd '",
        env!("CARGO_MANIFEST_DIR"),
        "' && $CARGO build --quiet --workspace --example receive_notifications"
    ),
    probe: "true",
    run: concat!(
        "exec \"$(dirname '",
        env!("CARGO_BIN_EXE_tender-shop"),
        "')\"/examples/receive_notifications"
    ),
    reconcile: None,
};

/// The backend of the examples of frameworks, with a built page and what lies beside it.
pub(crate) const BACKEND: Example = Example {
    name: "JavaScript",
    folder: "examples/backend",
    probe: r#"node --input-type=module --eval "import 'express'""#,
    run: "mkdir -p dist dist-private
        echo page > dist/index.html
        echo hidden | tee dist/.env > dist-private/.env
        exec node shop.js dist",
    reconcile: None,
    ..NODE
};

/// The shops of docs/quick-start.md.
pub(crate) const QUICK_START: Example = Example {
    name: "the quick start",
    folder: "examples",
    variable: "SHOP_NODE",
    prepare: "",
    probe: "node --version",
    run: "exec node quick-start.mjs",
    reconcile: None,
};
pub(crate) const QUICK_START_IN_PHP: Example = Example {
    name: "the quick start in PHP",
    folder: "examples",
    run: "exec php -S 127.0.0.1:$PORT quick-start.php",
    reconcile: None,
    ..PHP
};
