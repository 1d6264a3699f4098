//! From the module that the compiler has linked to the one that is served, and the script between that and
//! the page.
//!
//! Trunk builds the module and nothing more: what comes after that in its own pipeline (wasm-bindgen, wasm-opt) has to
//! come after what is done here.

mod glue;
mod names;
mod split;
mod streams;

use std::fs;
use std::path::{Path, PathBuf};

use super::{Artifact, digest, read, write};
use crate::error::{Error, Result};
use crate::tools::Toolbox;
use crate::workspace::{Workspace, run};

/// What the compiler may emit today; a trap stays a trap. Who made the module, and with which features, is for
/// tools. Long functions that are called once stay by themselves, and those of one type side by side: what is alike
/// compresses better so.
const WASM_OPT: [&str; 11] = [
    "-Oz",
    "--one-caller-inline-max-function-size=20",
    "--reorder-functions-by-name",
    "--strip-producers",
    "--strip-target-features",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// What makes a module.
pub(super) struct Pipeline<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) toolbox: &'a Toolbox,
    pub(super) is_release: bool,
}

impl Pipeline<'_> {
    /// Leaves the artifact's glue and module in the staging folder, in the place of trunk's; where it comes in
    /// two parts, the later one lies under the name by which the glue asks for it in `folder`.
    pub(super) fn make(&self, artifact: &Artifact, staging: &Path, folder: &Path) -> Result<()> {
        let package = artifact.package;
        let profile = if self.is_release {
            "wasm-release"
        } else {
            "debug"
        };
        let linked = self.workspace.wasm(profile, package);
        let place = linked.with_extension("bundle");
        fs::create_dir_all(&place).map_err(Error::file("create", &place))?;

        let wasm =
            streams::without(&bytes(&linked)?).map_err(|error| Error::Module(error.to_string()))?;
        let module = place.join(format!("{package}.wasm"));
        if artifact.comes_in_parts {
            split::take_apart(&wasm, &place, &module, package)?;
        } else {
            write(&module, &wasm)?;
        }
        self.bind(package, &place, &module)?;
        let module = place.join(format!("{package}_bg.wasm"));
        self.optimize(&module)?;
        if artifact.comes_in_parts {
            let part = split::part_in(&place);
            self.optimize(&part)?;
            let part = bytes(&part)?;
            let name = format!("{package}-{}_later.wasm", digest(&part));
            write(&folder.join(&name), &part)?;
            split::name_part(&place, &name)?;
        }

        let glue = place.join(format!("{package}.js"));
        let text = glue::guarded(&read(&glue)?)?;
        let (wasm, text) = names::shorten(&bytes(&module)?, &text)
            .map_err(|error| Error::Module(error.to_string()))?;
        write(&staging.join(format!("{package}_bg.wasm")), &wasm)?;
        write(&glue, glue::with_methods(&text))?;
        let served = staging.join(format!("{package}.js"));
        let options = ["--bundle", "--format=esm", glue::NO_DISPOSE];
        self.minify(&glue::entrance(&glue)?, &options, &served)
    }

    /// Makes a small script of this one.
    pub(super) fn minify(&self, script: &Path, options: &[&str], served: &Path) -> Result<()> {
        let mut esbuild = self.workspace.command(self.toolbox.program("esbuild"));
        esbuild.args(["--minify", "--log-level=warning", "--allow-overwrite"]);
        esbuild.args(options).arg(script);
        run(esbuild.arg(format!("--outfile={}", served.display())))
    }

    /// Runs wasm-bindgen: leaves `<package>.js` and `<package>_bg.wasm` in `place`.
    fn bind(&self, package: &str, place: &Path, module: &Path) -> Result<()> {
        // The program that is looked for is the runner of tests, which lies beside it.
        let wasm_bindgen = PathBuf::from(self.toolbox.program("wasm-bindgen-cli"));
        let mut command = self
            .workspace
            .command(wasm_bindgen.with_file_name("wasm-bindgen"));
        command.args(["--target", "web", "--no-typescript", "--keep-lld-exports"]);
        command.args(["--out-name", package, "--out-dir"]);
        run(command.arg(place).arg(module))
    }

    /// Only what is released: it takes seconds.
    fn optimize(&self, wasm: &Path) -> Result<()> {
        if !self.is_release {
            return Ok(());
        }
        let mut command = self.workspace.command(self.toolbox.program("binaryen"));
        run(command.args(WASM_OPT).arg(wasm).arg("--output").arg(wasm))
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(Error::file("read", path))
}
