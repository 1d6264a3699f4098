//! The languages of the merchant's element.

use tender_payments_core::text::Text;

const LOCALES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../payments/locales");
const LOADER: &str = include_str!("../../../payments/src/payments.js");

#[path = "../../../client/tests/shared/languages.rs"]
mod shared;

use shared::{Said, each};

fn all() -> Vec<Said> {
    each(Text::ALL)
}

fn of_loader() -> Vec<Said> {
    each(Text::OF_LOADER)
}

/// What is counted, and what is said of one of it: a new text with a number has to find its place here.
#[test]
fn each_text_about_a_number_has_another_about_one() {
    // These are a figure, or are never said of one.
    let only_many = [Text::Export, Text::CancelProgress, Text::Attempts];
    for text in Text::ALL.iter().filter(|text| !only_many.contains(text)) {
        let is_counted = ["{count}", "{pages}"].map(|place| text.english().contains(place));
        let one = text.of(1).english();
        if is_counted.contains(&true) {
            assert_ne!(one, text.english(), "{text:?}");
            assert!(
                !one.contains("{count}") && !one.contains("{pages}"),
                "{one}"
            );
        } else {
            assert_eq!(one, text.english(), "{text:?}");
        }
        for count in [0, 2, 21] {
            assert_eq!(text.of(count), *text);
        }
    }
}
