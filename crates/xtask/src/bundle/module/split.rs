//! Takes the later part out of the checkout's module (src/later.rs).

use std::path::{Path, PathBuf};

use wasm_split_cli_support::{Options, transform};

use super::{read, write};
use crate::bundle::stamp;
use crate::error::{Error, Result};

/// The script that loads the part, as the glue asks for it; it ends in the glue.
const LINK: &str = "__wasm_split.js";
/// What is written there, in the place of the split's own.
const SCRIPT: &str = include_str!("../../../../../src/later.js");
/// The part, as the split names it.
const PART: &str = "split_later.wasm";
/// What asks for the part, in the split's own script and in ours.
const ASKS: &str = "__wasm_split_load_later";
/// What a part asks for besides, where `wasm_split_helpers` was built with debug assertions.
const CANARY: &str = "__canary_";

/// Writes the module without the part, and the part, into `place`. `wasm` has been linked so
/// that it can be taken apart (build.rs).
pub(super) fn take_apart(wasm: &[u8], place: &Path, module: &Path, package: &str) -> Result<()> {
    let glue = format!("./{package}.js");
    let link = format!("./{LINK}");
    let mut options = Options::new(wasm);
    options.output_dir = place;
    options.main_out_path = module;
    options.main_module = &glue;
    options.link_name = &link;
    let split = transform(options).map_err(|report| Error::Module(format!("{report:#}")))?;
    check(&split.split_modules, &read(&place.join(LINK))?, place)
}

/// Whether our script does all that the split's own would: it loads one part, which asks for nothing but the exports.
fn check(parts: &[PathBuf], script: &str, place: &Path) -> Result<()> {
    if parts != [part_in(place)] {
        return Err(Error::Module(format!(
            "it is split into {parts:?}, and src/later.js loads `{PART}` alone: have one `#[wasm_split]`, named `later`"
        )));
    }
    let exports = script
        .lines()
        .filter_map(|line| line.strip_prefix("export const "));
    let mut others = exports.filter(|export| !export.starts_with(&format!("{ASKS} =")));
    if let Some(other) = others.next() {
        return Err(Error::Module(format!(
            "src/later.js is asked for `{ASKS}` alone, and the split wants `{other}`: have one `#[wasm_split]`, named `later`"
        )));
    }
    if script.contains(CANARY) {
        return Err(Error::Module(format!(
            "its later part asks for `{CANARY}…`, which src/later.js does not give: build wasm_split_helpers without debug assertions"
        )));
    }
    Ok(())
}

/// Where [`take_apart`] has left the part.
pub(super) fn part_in(place: &Path) -> PathBuf {
    place.join(PART)
}

/// Writes the script that asks for the part, under this name.
pub(super) fn name_part(place: &Path, name: &str) -> Result<()> {
    let script = stamp::stamp(SCRIPT, &[("__TENDER_LATER__", name)])?;
    write(&place.join(LINK), script)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "import { initSync } from \"./tender-checkout.js\";
sharedImports = { __wasm_split: {  } };
export const __wasm_split_load_later = wrapAsyncCb(makeLoad(() => {}, []));
";

    fn checked(parts: &[&str], script: &str) -> String {
        let parts: Vec<_> = parts
            .iter()
            .map(|part| Path::new("place").join(part))
            .collect();
        let refusal = check(&parts, script, Path::new("place")).err();
        refusal.map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_our_script_does_not_load_is_refused() {
        assert_eq!(checked(&[PART], SCRIPT), "");
        for parts in [&[][..], &[PART, "chunk_1.wasm"], &["split_other.wasm"]] {
            let refusal = checked(parts, SCRIPT);
            assert!(refusal.contains("alone"), "{parts:?}: {refusal}");
        }
        // Where two have all in common, one of them is empty, and is no file.
        let two = format!("{SCRIPT}export const __wasm_split_load_more = 0;\n");
        assert!(checked(&[PART], &two).contains("__wasm_split_load_more"));
    }

    #[test]
    fn what_our_script_does_not_give_is_refused() {
        let script = SCRIPT.replace("{  }", "{ __canary_6f3a: ~0xdead, }");
        assert!(checked(&[PART], &script).contains("debug assertions"));
    }
}
