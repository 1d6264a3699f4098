//! The locale files of both elements. A text that no code shows is not found here but by the compiler: it is dead code.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tender_element::i18n::Locale;

/// The texts of a language, by key.
type Texts = BTreeMap<String, String>;

/// The texts of each element by language.
fn elements() -> [BTreeMap<String, Texts>; 2] {
    ["../../locales", "../payments/locales"].map(|folder| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(folder).unwrap();
        files
            .map(|file| {
                let path = file.unwrap().path();
                let language = path.file_stem().unwrap().to_str().unwrap();
                let texts = serde_json::from_str(&std::fs::read_to_string(&path).unwrap());
                (language.to_owned(), texts.unwrap())
            })
            .collect()
    })
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .map(|rest| rest.split_once('}').unwrap().0)
        .collect()
}

#[test]
fn every_language_has_every_text_with_the_placeholders_of_english() {
    for languages in elements() {
        let english = &languages["en"];
        let keys: BTreeSet<_> = english.keys().collect();
        for (language, texts) in &languages {
            let other: Vec<_> = keys
                .symmetric_difference(&texts.keys().collect())
                .copied()
                .collect();
            assert_eq!(other, [""; 0], "{language} lacks these, or has more");
            for (key, text) in texts {
                assert!(!text.trim().is_empty(), "{language} has an empty {key:?}");
                assert_eq!(
                    placeholders(text),
                    placeholders(&english[key]),
                    "{language} has other placeholders in {key:?}"
                );
            }
        }
    }
}

/// Values are Latin letters and digits. Without isolates (Unicode UAX #9, section 2.4) they and the digits next to them
/// would change places in a sentence that is written from right to left.
#[test]
fn placeholders_in_right_to_left_texts_are_isolated() {
    for (language, texts) in elements().into_iter().flatten() {
        let is_right_to_left =
            texts["reload"].contains(|c: char| ('\u{590}'..'\u{900}').contains(&c));
        let direction = Locale::new(language.as_str(), Vec::new()).dir();
        assert_eq!(direction == "rtl", is_right_to_left, "{language}");
        if !is_right_to_left {
            continue;
        }
        for (key, text) in texts {
            let starts = text.matches("\u{2068}{").count();
            let ends = text.matches("}\u{2069}").count();
            let count = text.matches('{').count();
            assert_eq!(
                (starts, ends),
                (count, count),
                "{language} has a placeholder without U+2068 before and U+2069 after it in {key:?}"
            );
        }
    }
}

/// On the page an isolated value is an element of its own, which is not broken at a hyphen and not translated.
#[test]
fn invoice_numbers_in_sentences_are_isolated() {
    let [checkout, dashboard] = elements();
    for (language, texts) in &checkout {
        for (key, text) in texts {
            let isolated = text.matches("\u{2068}{invoice}\u{2069}").count();
            assert_eq!(
                isolated,
                text.matches("{invoice}").count(),
                "{language}: {key}"
            );
        }
    }
    for (language, texts) in &dashboard {
        for key in ["cancel-done-one", "payment-of", "link-title"] {
            let is_isolated = texts[key].contains("\u{2068}{invoice}\u{2069}");
            assert!(is_isolated, "{language}: {key}");
        }
    }
}

/// French sets a space before these marks. It must not be one where a line may break.
#[test]
fn french_has_no_breaking_space_before_a_punctuation_mark() {
    for languages in elements() {
        for (key, text) in &languages["fr"] {
            for mark in ['!', '?', ':', ';'] {
                assert!(
                    !text.contains(&format!(" {mark}")),
                    "a breaking space before {mark:?} in {key:?}"
                );
            }
        }
    }
}
