//! What is asked of the languages of each element: they say everything, with the same places to fill in.
//!
//! An element's tests include this file, beside `all` of its texts, those `of_loader`, the folder `LOCALES` and its
//! `LOADER`.

use std::collections::BTreeSet;

use tender_client::{Wording, Words};

use super::{LOADER, LOCALES, all, of_loader};

/// A text, of whichever set.
#[derive(Clone, Copy)]
pub(super) struct Said {
    key: &'static str,
    english: &'static str,
}

impl Wording for Said {
    fn key(self) -> &'static str {
        self.key
    }

    fn english(self) -> &'static str {
        self.english
    }
}

pub(super) fn each<T: Wording>(texts: &[T]) -> Vec<Said> {
    let texts = texts.iter().map(|text| Said {
        key: text.key(),
        english: text.english(),
    });
    texts.collect()
}

/// The files of texts, by their language.
fn languages() -> Vec<(String, String)> {
    let files = std::fs::read_dir(LOCALES).unwrap();
    let files = files.map(|file| file.unwrap().path());
    files
        .map(|path| {
            let language = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (language, std::fs::read_to_string(&path).unwrap())
        })
        .collect()
}

fn places(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .map(|rest| rest.split_once('}').unwrap().0)
        .collect()
}

#[test]
fn there_are_the_promised_languages() {
    let languages: BTreeSet<_> = languages()
        .into_iter()
        .map(|(language, _)| language)
        .collect();
    for language in [
        "ar", "de", "es", "fr", "he", "hi", "id", "ja", "ko", "pt", "ru", "tr", "vi", "zh",
    ] {
        assert!(
            languages.contains(language),
            "locales/{language}.json is missing"
        );
    }
}

#[test]
fn each_language_has_each_text_with_each_place() {
    for (language, json) in languages() {
        let words = Words::read(&language, Some(&json), None).unwrap();
        for text in all() {
            let key = text.key;
            let said = words
                .get(text)
                .unwrap_or_else(|| panic!("{language} lacks {key:?}"));
            assert!(
                !said.trim().is_empty(),
                "{language} says nothing for {key:?}"
            );
            assert_eq!(
                places(&said),
                places(text.english),
                "{language} fills other places in {key:?}"
            );
        }
    }
}

/// What is filled in is Latin letters and digits: without isolates (Unicode UAX #9, section 2.4) they and the
/// digits beside them would change places in a sentence from right to left.
#[test]
fn each_place_in_a_text_from_right_to_left_is_isolated() {
    for (language, json) in languages() {
        let words = Words::read(&language, Some(&json), None).unwrap();
        if words.direction() == "ltr" {
            continue;
        }
        for text in all() {
            let said = words.get(text).unwrap();
            let isolated = said.matches("\u{2068}{").count();
            let ended = said.matches("}\u{2069}").count();
            let places = said.matches('{').count();
            assert_eq!(
                (isolated, ended),
                (places, places),
                "{language} has a place without U+2068 before it and U+2069 after it in {:?}",
                text.key
            );
        }
    }
}

/// French sets a space before these marks; no line may break there.
#[test]
fn no_mark_begins_a_line_in_french() {
    let (_, json) = languages()
        .into_iter()
        .find(|(language, _)| language == "fr")
        .unwrap();
    for mark in ['!', '?', ':', ';'] {
        assert!(
            !json.contains(&format!(" {mark}")),
            "a plain space before {mark:?}"
        );
    }
}

#[test]
fn no_language_has_a_text_that_is_never_said() {
    let known: BTreeSet<_> = all().iter().map(|text| text.key).collect();
    for (language, json) in languages() {
        let texts: std::collections::BTreeMap<String, String> =
            serde_json::from_str(&json).unwrap();
        for key in texts.keys() {
            assert!(
                known.contains(key.as_str()),
                "{language} has {key:?}, which is never said"
            );
        }
    }
}

/// The loader is a script of its own, and speaks before there is a module.
#[test]
fn the_loader_says_the_same_in_english() {
    let (_, said) = LOADER.split_once("const ENGLISH = {").unwrap();
    let (said, _) = said.split_once('}').unwrap();
    let said: BTreeSet<_> = said
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let expected: Vec<_> = of_loader()
        .iter()
        .map(|text| format!("{:?}: {:?},", text.key, text.english))
        .collect();
    assert_eq!(said, expected.iter().map(String::as_str).collect());
}

#[test]
fn a_key_is_used_once() {
    let keys: BTreeSet<_> = all().iter().map(|text| text.key).collect();
    assert_eq!(keys.len(), all().len());
}
