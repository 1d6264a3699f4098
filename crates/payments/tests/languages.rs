//! The locale files of the element.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests may panic"
)]

use tender_element::TextKey;
use tender_payments::text::Text;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[path = "../../element/tests/shared/languages.rs"]
mod shared;

fn english(text: Text) -> &'static str {
    text.entry().english
}

/// A new text with a number needs a singular, or has to be added to the exceptions here.
#[test]
fn each_text_with_a_number_has_a_singular() {
    // These show a bare number, or are never shown for one.
    let only_many = [Text::Export, Text::CancelProgress, Text::Attempts];
    for text in Text::ALL.iter().filter(|text| !only_many.contains(text)) {
        let has_number = ["{count}", "{pages}"].map(|place| english(*text).contains(place));
        let one = english(text.for_count(1));
        if has_number.contains(&true) {
            assert_ne!(one, english(*text), "{text:?}");
            assert!(
                !one.contains("{count}") && !one.contains("{pages}"),
                "{one}"
            );
        } else {
            assert_eq!(one, english(*text), "{text:?}");
        }
        for count in [0, 2, 21] {
            assert_eq!(text.for_count(count), *text);
        }
    }
}
