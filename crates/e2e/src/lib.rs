//! End-to-end tests: the built widget in a real browser, with the real proxy, sandbox and sample shop.
//!
//! This crate is empty. The tests are in `tests/e2e`, behind the feature `browser`, because they need a browser with
//! its driver and a built widget. `cargo xtask test e2e` installs both and runs the tests.
