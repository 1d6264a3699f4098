//! `cargo xtask release`: archives with the programs, their checksums, bills of materials and licences, and the npm package.
//! Nothing is published.

mod archive;
mod checksums;
mod commit;
mod licences;
mod packages;
mod sbom;

use std::fs;
use std::path::{Path, PathBuf};

use self::archive::Contents;
use self::commit::Commit;
use self::packages::Packages;
use super::dist::{self, PROGRAMS};
use super::npm;
use crate::bundle::artifact::ARTIFACTS;
use crate::compile::{self, PackageIds, WASM};
use crate::error::{Error, Result};
use crate::step::Step;
use crate::tools::{self, Tool, targets};
use crate::workspace::{Workspace, output};

const NAME: &str = "tender";

/// The version of the workspace, which all packages share.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files and folders of the repository.
const SOURCES: [&str; 10] = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "container",
    "contract",
    "docs",
    "examples",
];

/// The licences of Rust's standard library, in the toolchain's folder and in an archive.
const STANDARD_LIBRARY: [&str; 2] = [
    "share/doc/rust/COPYRIGHT-library.html",
    "RUST-STANDARD-LIBRARY.html",
];

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let toolbox = tools::ensure(workspace, &[Step::Dist])?;
    let host = compile::host(workspace)?;
    let mut left_out = Vec::new();
    let mut ready = Vec::new();
    for target in targets::names() {
        match tools::missing_for(workspace, target, &host)?.as_slice() {
            [] => ready.push(target),
            missing => left_out.push(how_to_get(target, missing)),
        }
    }
    dist::build(workspace, &toolbox)?;
    let npm = npm::pack(workspace)?;
    let folder = make(workspace, &ready, &npm)?;
    println!("\nThe release is in {}", folder.display());
    for target in left_out {
        println!("\n{target}");
    }
    Ok(())
}

/// `LEFT OUT: <target>`, and a line for each command that installs what is missing.
fn how_to_get(target: &str, missing: &[Tool]) -> String {
    let mut text = format!("LEFT OUT: {target}, because builds for it need more tools here:");
    for tool in missing {
        text.push_str("\n    ");
        text.push_str(&tool.how_to_get());
    }
    text
}

/// Makes a release for these targets from the output of `dist` and this npm package. Returns its folder.
pub(crate) fn make(workspace: &Workspace, targets: &[&str], npm: &Path) -> Result<PathBuf> {
    println!("\n==> The release");
    let folder = workspace.target().join("artifacts");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Error::file("remove", &folder))?;
    }
    fs::create_dir_all(&folder).map_err(Error::file("create", &folder))?;
    let commit = Commit::current(workspace)?;
    let widget = widget(workspace)?;
    let package = folder.join(npm.file_name().unwrap_or_default());
    fs::copy(npm, &package).map_err(Error::file("copy", npm))?;
    let mut files = vec![package];
    for target in targets {
        files.extend(for_target(workspace, target, &widget, &commit, &folder)?);
    }
    checksums::write(&folder, &files)?;
    Ok(folder)
}

/// The packages in the modules of both elements. They are compiled already; trunk calls cargo in the same way.
fn widget(workspace: &Workspace) -> Result<PackageIds> {
    let mut packages = PackageIds::new();
    for artifact in &ARTIFACTS {
        let words = ["--package", artifact.package, "--profile", "wasm-release"];
        packages.extend(compile::build(workspace, WASM, &words)?);
    }
    Ok(packages)
}

/// Makes the archive for a target, and its bill of materials.
fn for_target(
    workspace: &Workspace,
    target: &str,
    widget: &PackageIds,
    commit: &Commit,
    folder: &Path,
) -> Result<[PathBuf; 2]> {
    let mut ids = widget.clone();
    ids.extend(compile::programs(workspace, target, &PROGRAMS)?);
    let packages = Packages::read(workspace, &ids)?;
    let version = output(workspace.command("rustc").arg("--version"))?;
    let rust = version.split_whitespace().nth(1).unwrap_or_default();
    let bill = format!("{:#}\n", sbom::of(&packages, target, commit, rust));

    let mut contents = Contents::default();
    for program in PROGRAMS {
        contents.program(program, &compile::program(workspace, target, program))?;
    }
    // Not what else is in these folders, such as secrets.
    let tracked = output(
        workspace
            .command("git")
            .args(["ls-files", "--"])
            .args(SOURCES),
    )?;
    for file in tracked.lines() {
        contents.file(file, &workspace.root().join(file))?;
    }
    contents.folder("dist", &workspace.root().join("dist"))?;
    contents.text("THIRD-PARTY.txt", licences::of(&packages, target)?);
    let sysroot = output(workspace.command("rustc").args(["--print", "sysroot"]))?;
    let [from, name] = STANDARD_LIBRARY;
    contents.file(name, &Path::new(sysroot.trim()).join(from))?;
    contents.text("sbom.cdx.json", &*bill);

    let name = format!("{NAME}-{VERSION}-{target}");
    let [archive, sbom] = ["tar.gz", "cdx.json"].map(|end| folder.join(format!("{name}.{end}")));
    contents.write(&name, commit.time, &archive)?;
    fs::write(&sbom, bill).map_err(Error::file("write", &sbom))?;
    Ok([archive, sbom])
}
