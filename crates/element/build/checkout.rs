//! The build script of the checkout: its texts, and the styles in its module, without comments and white space.

#[path = "texts.rs"]
mod texts;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The styles of what the form does not show.
const STYLES: [&str; 2] = ["crates/element/style/controls.css", "style/payment.css"];

fn main() -> Result<(), Box<dyn Error>> {
    texts::main()?;
    let mut styles = String::new();
    for file in STYLES {
        println!("cargo::rerun-if-changed={file}");
        let css = fs::read_to_string(file)?;
        styles += &minifier::css::minify(&css)?.to_string();
    }
    let folder = env::var("OUT_DIR")?;
    Ok(fs::write(Path::new(&folder).join("styles.css"), styles)?)
}
