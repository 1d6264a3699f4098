//! The build script of each element: makes its enum of texts from its English locale file. So each text is declared once, and
//! a text that is not in the file does not compile. The element's `text.rs` includes the result. The styles in the module of the
//! checkout lose their comments and white space; the dashboard's are in its loader.

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

/// The styles in a module, if the element has them.
const STYLES: [&str; 2] = ["crates/element/style/controls.css", "style/payment.css"];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::var("OUT_DIR")?;
    let folder = Path::new(&folder);
    write_texts(folder)?;
    if STYLES.iter().all(|file| Path::new(file).exists()) {
        write_styles(folder)?;
    }
    Ok(())
}

fn write_styles(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut styles = String::new();
    for file in STYLES {
        println!("cargo::rerun-if-changed={file}");
        styles += &minified(&fs::read_to_string(file)?);
    }
    Ok(fs::write(folder.join("styles.css"), styles)?)
}

/// A style sheet without comments and without white space that means nothing. No string in it has either.
fn minified(css: &str) -> String {
    let mut parts = css.split("/*");
    let mut code = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        code += part.split_once("*/").map_or("", |(_, code)| code);
    }
    let lines = code.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut code = lines.collect::<Vec<_>>().join("\n");
    for (long, short) in [
        (" {", "{"),
        ("{ ", "{"),
        ("; }", "}"),
        (" }", "}"),
        (": ", ":"),
        ("; ", ";"),
        (", ", ","),
    ] {
        code = code.replace(long, short);
    }
    code
}

fn write_texts(folder: &Path) -> Result<(), Box<dyn Error>> {
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
    Ok(fs::write(folder.join("texts.rs"), code)?)
}

/// `pay-with` is `PayWith`.
fn variant(key: &str) -> String {
    let words = key.split('-').filter_map(|word| word.split_at_checked(1));
    words
        .map(|(initial, rest)| initial.to_uppercase() + rest)
        .collect()
}
