//! Takes the later part out of the checkout's module (src/later.rs), and makes one small script of the
//! glue.
//!
//! Trunk has built the module, linked so that it can be taken apart, and nothing more: what comes after that in its own
//! pipeline (wasm-bindgen, wasm-opt) has to come after the split.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use wasm_encoder::{ExportSection, Module, RawSection};
use wasm_split_cli_support::{Options, transform};
use wasmparser::{Parser, Payload};

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
    let entrance = place.join("entrance.js");
    write(
        &entrance,
        &format!("export {{ default, mount, onCrash }} from './{glue}';"),
    )?;
    run(workspace
        .command(toolbox.program("esbuild"))
        .args([
            "--bundle",
            "--minify",
            "--format=esm",
            "--log-level=warning",
        ])
        .arg(&entrance)
        .arg("--allow-overwrite")
        .arg(format!("--outfile={}", staging.join(&glue).display())))
}

/// Writes the module without the part, the part, and the script that loads it into `place`.
fn take_apart(linked: &Path, place: &Path, package: &str) -> Result<PathBuf> {
    let wasm = fs::read(linked).map_err(Error::file("read", linked))?;
    let wasm = without_streams(&wasm).map_err(|error| Error::Split(error.to_string()))?;
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

/// The module without what `wasm-streams` exports: Leptos brings that crate for functions on a server, and what is
/// exported stays in a module, with all that it uses.
fn without_streams(wasm: &[u8]) -> wasmparser::Result<Vec<u8>> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        if let Payload::ExportSection(reader) = payload {
            let mut exports = ExportSection::new();
            for export in reader {
                let export = export?;
                if !export.name.contains("intounderlying") {
                    exports.export(export.name, export.kind.into(), export.index);
                }
            }
            module.section(&exports);
        } else if let Some((id, range)) = payload.as_section() {
            module.section(&RawSection {
                id,
                data: section(wasm, range).unwrap_or_default(),
            });
        }
    }
    Ok(module.finish())
}

fn section(wasm: &[u8], range: Range<u64>) -> Option<&[u8]> {
    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).ok());
    wasm.get(start?..end?)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map_err(Error::file("copy", from))?;
    Ok(())
}
