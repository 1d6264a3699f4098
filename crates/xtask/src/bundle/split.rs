//! Takes the later part out of the checkout's module (src/later.rs), and makes one small script of the
//! glue.
//!
//! Trunk has built the module, linked so that it can be taken apart, and nothing more: what comes after that in its own
//! pipeline (wasm-bindgen, wasm-opt) has to come after the split.

use std::fs;
use std::path::{Path, PathBuf};

use wasm_split_cli_support::{Options, transform};

use super::{digest, read, write};
use crate::error::{Error, Result};
use crate::tools::Toolbox;
use crate::workspace::{Workspace, run};

/// What the compiler may emit today; a trap stays a trap.
const WASM_OPT: [&str; 7] = [
    "-Oz",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// The script that loads the part; it ends in the glue.
const LINK: &str = "__wasm_split.js";
/// The part, as the split names it.
const PART: &str = "split_later";

/// Leaves the glue and the module of `package` in the staging folder, in the place of trunk's, and
/// the part under the name by which the glue asks for it in `folder`.
pub(super) fn split(
    workspace: &Workspace,
    toolbox: &Toolbox,
    package: &str,
    staging: &Path,
    folder: &Path,
    is_release: bool,
) -> Result<()> {
    let linked = workspace.wasm(if is_release { "wasm-release" } else { "debug" }, package);
    let place = linked.with_extension("split");
    fs::create_dir_all(&place).map_err(Error::file("create", &place))?;
    let module = take_apart(&linked, &place, package)?;
    let bindgen = [
        "--target",
        "web",
        "--no-typescript",
        "--keep-lld-exports",
        "--out-name",
        package,
        "--out-dir",
    ];
    let wasm_bindgen = toolbox.program("wasm-bindgen-cli");
    let wasm_bindgen = PathBuf::from(wasm_bindgen).with_file_name("wasm-bindgen");
    run(workspace
        .command(wasm_bindgen)
        .args(bindgen)
        .arg(&place)
        .arg(&module))?;

    let part = place.join(format!("{PART}.wasm"));
    let module = place.join(format!("{package}_bg.wasm"));
    if is_release {
        for wasm in [&part, &module] {
            let wasm_opt = toolbox.program("binaryen");
            run(workspace
                .command(wasm_opt)
                .args(WASM_OPT)
                .arg(wasm)
                .arg("--output")
                .arg(wasm))?;
        }
    }
    let content = fs::read(&part).map_err(Error::file("read", &part))?;
    let name = format!("{package}-{}_later.wasm", digest(&content));
    copy(&part, &folder.join(&name))?;
    copy(&module, &staging.join(format!("{package}_bg.wasm")))?;

    let link = place.join(LINK);
    write(&link, &read(&link)?.replace(&format!("{PART}.wasm"), &name))?;
    let glue = format!("{package}.js");
    run(workspace
        .command(toolbox.program("esbuild"))
        .args([
            "--bundle",
            "--minify",
            "--format=esm",
            "--log-level=warning",
        ])
        .arg(place.join(&glue))
        .arg(format!("--outfile={}", staging.join(&glue).display()))
        .arg("--allow-overwrite"))
}

/// Writes the module without the part, the part, and the script that loads it into `place`.
fn take_apart(linked: &Path, place: &Path, package: &str) -> Result<PathBuf> {
    let wasm = fs::read(linked).map_err(Error::file("read", linked))?;
    let module = place.join(format!("{package}.wasm"));
    let glue = format!("./{package}.js");
    let link = format!("./{LINK}");
    let mut options = Options::new(&wasm);
    options.output_dir = place;
    options.main_out_path = &module;
    options.main_module = &glue;
    options.link_name = &link;
    transform(options).map_err(|report| Error::Split(format!("{report:#}")))?;
    Ok(module)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map_err(Error::file("copy", from))?;
    Ok(())
}
