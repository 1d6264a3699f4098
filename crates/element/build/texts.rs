//! The build script of each element: makes its enum of texts from its English locale file. So each text is declared once, and
//! a text that is not in the file does not compile. The element's `text.rs` includes the result.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

const ENGLISH: &str = "locales/en.json";

/// The texts that the loader has in `english`. Other texts that no code shows are dead code.
const OF_LOADER: [&str; 7] = [
    "crashed",
    "crashed-title",
    "load-failed",
    "load-failed-title",
    "reload",
    "try-again",
    "unsupported",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ENGLISH}");
    let texts: BTreeMap<String, String> = serde_json::from_str(&fs::read_to_string(ENGLISH)?)?;
    let variants = texts.iter().map(|(key, english)| {
        let is_of_loader = OF_LOADER.contains(&key.as_str());
        let allow = if is_of_loader {
            "#[allow(dead_code)] "
        } else {
            ""
        };
        format!("{allow}{} = {key:?}: {english:?},\n", variant(key))
    });
    let variants: String = variants.collect();
    let code = format!(
        "tender_element::texts! {{
            /// A text of the element. `{{name}}` in a text is a placeholder.
            #[cfg_attr(target_arch = \"wasm32\", allow(dead_code, reason = \"the proxy shows more texts\"))]
            pub(crate) enum Text {{ {variants} }}
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
