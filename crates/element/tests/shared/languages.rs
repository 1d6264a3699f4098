//! What holds for the locale files of every element. Included by each element's tests, next to `FOLDER`, the folder of its
//! package, and `Text`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tender_element::TextKey;
use tender_element::i18n::Locale;

use super::{FOLDER, Text};

/// All texts of the element.
fn keys() -> impl Iterator<Item = &'static str> {
    Text::ALL.iter().map(|text| text.entry().key)
}

/// The texts of each language, by key.
fn languages() -> BTreeMap<String, BTreeMap<String, String>> {
    let files = std::fs::read_dir(Path::new(FOLDER).join("locales")).unwrap();
    files
        .map(|file| {
            let path = file.unwrap().path();
            let language = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (language, read(&path))
        })
        .collect()
}

fn read(path: &Path) -> BTreeMap<String, String> {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .map(|rest| rest.split_once('}').unwrap().0)
        .collect()
}

#[test]
fn every_language_has_every_text_with_the_placeholders_of_english() {
    let languages = languages();
    let english = &languages["en"];
    for (language, texts) in &languages {
        for key in keys() {
            let text = texts
                .get(key)
                .unwrap_or_else(|| panic!("{language} lacks {key:?}"));
            assert!(!text.trim().is_empty(), "{language} has an empty {key:?}");
            assert_eq!(
                placeholders(text),
                placeholders(&english[key]),
                "{language} has other placeholders in {key:?}"
            );
        }
    }
}

#[test]
fn no_language_has_a_text_that_is_not_used() {
    let known: BTreeSet<_> = keys().collect();
    for (language, texts) in languages() {
        for key in texts.keys() {
            assert!(
                known.contains(key.as_str()),
                "{language} has {key:?}, which English lacks"
            );
        }
    }
    let sources = sources(&Path::new(FOLDER).join("src"));
    let names = ["Text::", "Self::", "texts[\""].map(|before| sources.split(before).skip(1));
    let end = |c: char| !c.is_alphanumeric() && c != '-';
    let used: BTreeSet<_> = names
        .into_iter()
        .flatten()
        .filter_map(|source| source.split(end).next())
        .collect();
    for text in Text::ALL {
        let (name, key) = (format!("{text:?}"), text.entry().key);
        assert!(
            used.contains(name.as_str()) || used.contains(key),
            "{key:?} is not used"
        );
    }
}

/// All files in a folder.
fn sources(folder: &Path) -> String {
    let files = std::fs::read_dir(folder).unwrap();
    let read = |path: &Path| {
        if path.is_dir() {
            sources(path)
        } else {
            std::fs::read_to_string(path).unwrap()
        }
    };
    files.map(|file| read(&file.unwrap().path())).collect()
}

/// Values are Latin letters and digits. Without isolates (Unicode UAX #9, section 2.4) they and the digits next to them
/// would change places in a sentence that is written from right to left.
#[test]
fn placeholders_in_right_to_left_texts_are_isolated() {
    for (language, texts) in languages() {
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

/// French sets a space before these marks. It must not be one where a line may break.
#[test]
fn french_has_no_breaking_space_before_a_punctuation_mark() {
    for (key, text) in &languages()["fr"] {
        for mark in ['!', '?', ':', ';'] {
            assert!(
                !text.contains(&format!(" {mark}")),
                "a breaking space before {mark:?} in {key:?}"
            );
        }
    }
}
