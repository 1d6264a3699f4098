//! The locale files of the checkout.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests may panic"
)]

use tender_checkout::text::Text;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[path = "../crates/element/tests/shared/languages.rs"]
mod shared;
