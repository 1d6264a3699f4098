//! Takes the later part out of the checkout's module (src/later.rs).

use std::path::{Path, PathBuf};

use wasm_split_cli_support::{Options, transform};

use super::write;
use crate::bundle::stamp;
use crate::error::{Error, Result};

/// The script that loads the part, as the glue asks for it; it ends in the glue.
const LINK: &str = "__wasm_split.js";
/// What is written there, in the place of the split's own.
const SCRIPT: &str = include_str!("../../../../../src/later.js");
/// The part, as the split names it.
const PART: &str = "split_later.wasm";

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
    transform(options).map_err(|report| Error::Module(format!("{report:#}")))?;
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
