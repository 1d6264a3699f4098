//! `cargo xtask release`: archives with the programs, their checksums, bills of materials and licences, and the npm package.
//! Nothing is published.
//!
//! cargo-cyclonedx and cargo-about describe one package for one target, with its macros. An archive has three programs and two
//! WebAssembly modules, and one list of what is linked into them.

mod archive;
mod commit;
mod licences;
mod packages;
mod sbom;

use std::path::{Path, PathBuf};

use fs_err as fs;

use self::commit::Commit;
use self::packages::Packages;
use super::dist::{self, PROGRAMS};
use super::npm;
use crate::bundle::compress;
use crate::compile;
use crate::error::Result;
use crate::step::Step;
use crate::tools::{self, targets};
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
    for target in targets::NAMES {
        match tools::missing_for(workspace, target, &host)?.as_slice() {
            [] => ready.push(target),
            missing => left_out.push((target, missing.join("\n    "))),
        }
    }
    dist::build(workspace, &toolbox)?;
    let npm = npm::pack(workspace)?;
    let folder = make(workspace, &ready, &npm)?;
    println!("\nThe release is in {}", folder.display());
    for (target, how_to_get) in left_out {
        println!("\nLEFT OUT: {target}, because builds for it need more tools here:");
        println!("    {how_to_get}");
    }
    Ok(())
}

/// Makes a release for these targets from the output of `dist` and this npm package. Returns its folder.
pub(crate) fn make(workspace: &Workspace, targets: &[&str], npm: &Path) -> Result<PathBuf> {
    println!("\n==> The release");
    let folder = workspace.target().join("artifacts");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let commit = Commit::current(workspace)?;
    copy(npm, &folder.join(npm.file_name().unwrap_or_default()))?;
    for target in targets {
        for_target(workspace, target, &commit, &folder)?;
    }
    checksums(workspace, &folder)?;
    Ok(folder)
}

/// Writes `SHA256SUMS`, as `sha256sum --check` reads it.
fn checksums(workspace: &Workspace, folder: &Path) -> Result<()> {
    let files = compress::files(folder)?;
    let names = files.iter().filter_map(|file| file.file_name());
    let mut sha256sum = workspace.command("sha256sum");
    let sums = output(sha256sum.args(names).current_dir(folder))?;
    Ok(fs::write(folder.join("SHA256SUMS"), sums)?)
}

/// Makes the archive for a target, and its bill of materials.
fn for_target(workspace: &Workspace, target: &str, commit: &Commit, folder: &Path) -> Result<()> {
    compile::programs(workspace, target, &PROGRAMS)?;
    let packages = Packages::read(workspace, target)?;
    let version = output(workspace.command("rustc").arg("--version"))?;
    let rust = version.split_whitespace().nth(1).unwrap_or_default();
    let bill = format!("{:#}\n", sbom::of(&packages, target, commit, rust));

    let name = format!("{NAME}-{VERSION}-{target}");
    let unpacked = workspace.target().join("unpacked");
    if unpacked.exists() {
        fs::remove_dir_all(&unpacked)?;
    }
    let root = unpacked.join(&name);
    for program in PROGRAMS {
        let built = compile::program(workspace, target, program);
        copy(&built, &root.join(program))?;
    }
    // Not what else is in these folders, such as secrets.
    let mut git = workspace.command("git");
    let tracked = output(git.args(["ls-files", "--"]).args(SOURCES))?;
    let tracked = tracked.lines().map(|file| workspace.root().join(file));
    for file in tracked.chain(compress::files(&workspace.root().join("dist"))?) {
        let path = file.strip_prefix(workspace.root()).unwrap_or(&file);
        copy(&file, &root.join(path))?;
    }
    fs::write(
        root.join("THIRD-PARTY.txt"),
        licences::of(&packages, target)?,
    )?;
    let sysroot = output(workspace.command("rustc").args(["--print", "sysroot"]))?;
    let [from, to] = STANDARD_LIBRARY;
    copy(&Path::new(sysroot.trim()).join(from), &root.join(to))?;
    fs::write(root.join("sbom.cdx.json"), &bill)?;

    archive::pack(&root, commit.time, &folder.join(format!("{name}.tar.gz")))?;
    Ok(fs::write(folder.join(format!("{name}.cdx.json")), bill)?)
}

/// Copies a file, and creates the folder for it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to)?;
    Ok(())
}
