//! The built bundle in a real browser, against the real proxy, sandbox and shop.
//!
//! Nothing lives here: the tests are in `tests/e2e`, behind the feature `browser`, as they need a
//! browser with its driver and a built bundle. `cargo xtask test e2e` brings all of that and runs
//! them.
