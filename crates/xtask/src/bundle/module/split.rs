//! Takes the later part out of the checkout's module (src/later.rs).

use std::path::{Path, PathBuf};

use wasm_split_cli_support::{Options, transform};

use super::{read, write};
use crate::error::{Error, Result};

/// The script that loads the part; it ends in the glue.
const LINK: &str = "__wasm_split.js";
/// The part, as the split names it.
const PART: &str = "split_later.wasm";

/// Writes the module without the part, the part, and the script that loads it into `place`. `wasm` has been linked so
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

/// Has the script ask for the part under this name.
pub(super) fn name_part(place: &Path, name: &str) -> Result<()> {
    let link = place.join(LINK);
    write(&link, read(&link)?.replace(PART, name))
}
