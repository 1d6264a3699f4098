//! Each language of the element says everything, with the same places to fill in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tender_merchant::text::Text;

fn places(text: &str) -> BTreeSet<&str> {
    let places = text.split('{').skip(1);
    places.map(|rest| rest.split_once('}').unwrap().0).collect()
}

#[test]
fn each_language_has_each_text_with_each_place_and_no_other() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../payments/locales");
    let mut languages = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let json = std::fs::read_to_string(&path).unwrap();
        let texts: BTreeMap<String, String> = serde_json::from_str(&json).unwrap();
        for text in Text::ALL {
            let said = texts.get(text.key());
            let said = said.unwrap_or_else(|| panic!("{path:?} lacks {:?}", text.key()));
            assert!(
                !said.trim().is_empty(),
                "{path:?} says nothing for {:?}",
                text.key()
            );
            assert_eq!(
                places(said),
                places(text.english()),
                "{path:?}, {:?}",
                text.key()
            );
        }
        assert_eq!(
            texts.len(),
            Text::ALL.len(),
            "{path:?} has a text that is never said"
        );
        languages += 1;
    }
    assert!(languages > 0);
}

#[test]
fn a_key_is_used_once() {
    let keys: BTreeSet<_> = Text::ALL.iter().map(|text| text.key()).collect();
    assert_eq!(keys.len(), Text::ALL.len());
}

/// The loader is a script of its own, and speaks before there is a module.
#[test]
fn the_loader_says_the_same_in_english() {
    let loader = include_str!("../../../payments/src/payments.js");
    let (_, said) = loader.split_once("const ENGLISH = {").unwrap();
    let (said, _) = said.split_once('}').unwrap();
    let said: BTreeSet<_> = said
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let texts = Text::OF_LOADER.iter();
    let expected: Vec<_> = texts
        .map(|text| format!("{:?}: {:?},", text.key(), text.english()))
        .collect();
    assert_eq!(said, expected.iter().map(String::as_str).collect());
}
