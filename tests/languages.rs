//! The locale files of the checkout.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests may panic"
)]

use tender_checkout::text::{ENGLISH, Text};
use tender_element::TextKey;

const LOCALES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/locales");

/// Further texts that only the loader shows.
const LOADER: &[&str] = &["reload"];

#[path = "../crates/element/tests/shared/languages.rs"]
mod shared;

#[test]
fn english_is_built_in() {
    assert_eq!(ENGLISH.get(Text::Pay.key()), Some("Pay".to_owned()));
}
