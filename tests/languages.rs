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
use tender_element::components::CopyText;

const LOCALES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/locales");

/// Texts that only the loader shows, when the module could not be loaded or has crashed.
const LOADER: [&str; 6] = [
    "load-failed-title",
    "load-failed",
    "unsupported",
    "crashed-title",
    "crashed",
    "reload",
];

#[path = "../crates/element/tests/shared/languages.rs"]
mod shared;

fn keys() -> Vec<&'static str> {
    let texts = Text::ALL.iter().map(|text| text.key());
    let copy_texts = CopyText::ALL.iter().map(|text| text.key());
    texts.chain(copy_texts).chain(LOADER).collect()
}

#[test]
fn english_is_built_in() {
    assert_eq!(ENGLISH.get(Text::Pay.key()), Some("Pay".to_owned()));
}
