//! The build script of each element: makes its enum of texts from its English locale file. So each text is declared once, and
//! a text that is not in the file does not compile. The element's `text.rs` includes the result.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
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

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ENGLISH}");
    let texts: BTreeMap<String, String> = serde_json::from_str(&fs::read_to_string(ENGLISH)?)?;
    let (mut variants, mut arms, mut all) = (String::new(), String::new(), String::new());
    for (key, english) in &texts {
        let name = variant(key);
        if OF_LOADER.contains(&key.as_str()) {
            variants += "#[allow(dead_code, reason = \"the loader shows it\")] ";
        }
        writeln!(variants, "/// `{key}`\n{name},")?;
        write!(
            arms,
            "Self::{name} => TextEntry {{ key: {key:?}, english: {english:?} }}, "
        )?;
        write!(all, "Self::{name}, ")?;
    }
    // Not by a macro of another crate, because the compiler would not report dead code of it.
    let code = format!(
        "use tender_element::i18n::{{TextEntry, TextKey}};

        /// A text of the element. `{{name}}` in a text is a placeholder.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(target_arch = \"wasm32\", allow(dead_code, reason = \"the proxy shows more texts\"))]
        pub(crate) enum Text {{ {variants} }}

        #[cfg(test)]
        impl Text {{
            /// Every text. In the program it would hide a text that no code shows.
            #[allow(dead_code, reason = \"only some tests need it\")]
            pub(crate) const ALL: &[Self] = &[{all}];
        }}

        impl TextKey for Text {{
            fn entry(self) -> TextEntry {{
                match self {{ {arms} }}
            }}
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
