//! The build script of each element: makes its enum of texts from its English locale file. So each text is declared once, and
//! a text that is not in the file does not compile. The element's `text.rs` includes the result.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

const ENGLISH: &str = "locales/en.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ENGLISH}");
    let texts: BTreeMap<String, String> = serde_json::from_str(&fs::read_to_string(ENGLISH)?)?;
    let variants = texts
        .iter()
        .map(|(key, english)| format!("{} = {key:?}: {english:?},\n", variant(key)));
    let variants: String = variants.collect();
    let code = format!(
        "tender_element::texts! {{
            /// A text of the element. `{{name}}` in a text is a placeholder.
            pub enum Text {{ {variants} }}
        }}"
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("texts.rs"), code)?;
    Ok(())
}

/// `pay-with` is `PayWith`.
fn variant(key: &str) -> String {
    let words = key.split('-').filter_map(|word| word.split_at_checked(1));
    words
        .map(|(initial, rest)| initial.to_uppercase() + rest)
        .collect()
}
