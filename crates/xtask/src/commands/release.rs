//! `cargo xtask release`: archives with the programs, their checksums, bills of materials and licences, and the npm package.
//! Nothing is published.
//!
//! The end-to-end tests run with these programs, which are optimised. In `cargo xtask test`, they run with those of the demo, so that
//! nothing is compiled twice.
//!
//! cargo-cyclonedx and cargo-about describe one package for one target, with its macros. An archive has three programs and two
//! WebAssembly modules, and one list of what is linked into them.

mod archive;
mod commit;
mod licences;
mod packages;
mod sbom;

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::cmd;

use self::commit::Commit;
use super::dist::{self, PROGRAMS};
use super::npm;
use super::test::end_to_end_tests;
use crate::compile;
use crate::step::Step;
use crate::tools::{self, targets};
use crate::workspace::Workspace;

const NAME: &str = "tender";

/// The version of the workspace, which all packages share.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The test of what only optimised programs are.
const ONLY_IN_A_RELEASE: &str = "release::no_program_contains_paths_of_this_machine";

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
    tools::ensure(workspace, &[Step::Dist, Step::E2e])?;
    let host = compile::host(workspace)?;
    let mut left_out = Vec::new();
    let mut ready = Vec::new();
    for target in targets::NAMES {
        match targets::missing(&workspace.sh, target, &host).as_slice() {
            [] => ready.push(target),
            missing => left_out.push((target, missing.join("\n    "))),
        }
    }
    dist::build(workspace)?;
    let npm = npm::pack(workspace)?;
    check(workspace, &host, &npm)?;
    let folder = make(workspace, &ready, &npm, Build::Release)?;
    println!("\nThe release is in {}", folder.display());
    for (target, how_to_get) in left_out {
        println!("\nLEFT OUT: {target}, because builds for it need more tools here:");
        println!("    {how_to_get}");
    }
    Ok(())
}

/// Which programs an archive has.
#[derive(Clone, Copy)]
enum Build {
    /// Optimised ones, without the paths of this machine.
    Release,
    /// Those of the tests, which are built already.
    Dev,
}

impl Build {
    /// The folder of the archives, in cargo's target folder.
    const fn folder(self) -> &'static str {
        match self {
            Self::Release => "artifacts",
            Self::Dev => "artifacts-of-tests",
        }
    }

    /// An option of `gzip`. The best compression of three programs takes half a minute.
    const fn compression(self) -> &'static str {
        match self {
            Self::Release => "--best",
            Self::Dev => "--fast",
        }
    }

    /// Copies the program of this name into a folder.
    fn copy(self, workspace: &Workspace, target: &str, name: &str, to: &Path) -> Result<()> {
        let sh = &workspace.sh;
        match self {
            Self::Release => Ok(sh.copy_file(compile::program(workspace, target, name), to)?),
            Self::Dev => {
                let program = workspace.dev_binary(name);
                let to = to.join(name);
                Ok(cmd!(sh, "strip -o {to} {program}").run()?)
            }
        }
    }
}

/// Makes a release for the tests: for this machine, with the programs that are built already. Returns its folder.
pub(crate) fn of_tests(workspace: &Workspace, npm: &Path) -> Result<PathBuf> {
    let host = compile::host(workspace)?;
    make(workspace, &[&host], npm, Build::Dev)
}

/// Runs the end-to-end tests with the optimised program, and a release of this machine alone.
fn check(workspace: &Workspace, host: &str, npm: &Path) -> Result<()> {
    let release = make(workspace, &[host], npm, Build::Release)?;
    for arguments in [&[][..], &["--", "--ignored", "--exact", ONLY_IN_A_RELEASE]] {
        let tests = end_to_end_tests(workspace).args(arguments);
        let proxy = compile::program(workspace, host, "tender-proxy");
        tests
            .env("TENDER_PROXY_BIN", proxy)
            .env("TENDER_RELEASE", &release)
            .env("TENDER_NPM", npm)
            .run()?;
    }
    Ok(())
}

/// Makes archives for these targets from the page in `dist/`, and this npm package. Returns their folder.
fn make(workspace: &Workspace, targets: &[&str], npm: &Path, build: Build) -> Result<PathBuf> {
    println!("\n==> The release");
    let sh = &workspace.sh;
    let folder = workspace.target().join(build.folder());
    sh.remove_path(&folder)?;
    sh.create_dir(&folder)?;
    let commit = Commit::current(workspace)?;
    sh.copy_file(npm, &folder)?;
    for target in targets {
        for_target(workspace, target, build, &commit, &folder)?;
    }
    // As `sha256sum --check` reads it.
    let files = sh.read_dir(&folder)?;
    let names = files.iter().filter_map(|file| file.file_name());
    let in_folder = sh.push_dir(&folder);
    let sums = cmd!(sh, "sha256sum {names...}").read()?;
    drop(in_folder);
    sh.write_file(folder.join("SHA256SUMS"), sums + "\n")?;
    Ok(folder)
}

/// Makes the archive for a target, and its bill of materials.
fn for_target(
    workspace: &Workspace,
    target: &str,
    build: Build,
    commit: &Commit,
    folder: &Path,
) -> Result<()> {
    let sh = &workspace.sh;
    if matches!(build, Build::Release) {
        compile::programs(workspace, target, &PROGRAMS)?;
    }
    let packages = packages::read(workspace, target)?;
    let version = cmd!(sh, "rustc --version").read()?;
    let rust = version.split_whitespace().nth(1).unwrap_or_default();
    let bill = format!("{:#}\n", sbom::of(&packages, target, commit, rust));

    let name = format!("{NAME}-{VERSION}-{target}");
    let unpacked = workspace.target().join("unpacked");
    sh.remove_path(&unpacked)?;
    let root = unpacked.join(&name);
    sh.create_dir(&root)?;
    for program in PROGRAMS {
        build.copy(workspace, target, program, &root)?;
    }
    // Not what else is in these folders, such as secrets.
    let tracked = cmd!(sh, "git ls-files -- {SOURCES...}").read()?;
    let tracked = tracked.lines();
    cmd!(sh, "cp --parents --target-directory {root} {tracked...}")
        .quiet()
        .run()?;
    cmd!(sh, "cp --recursive dist {root}").run()?;
    let licences = licences::of(&packages, target)?;
    sh.write_file(root.join("THIRD-PARTY.txt"), licences)?;
    let sysroot = cmd!(sh, "rustc --print sysroot").read()?;
    let [from, to] = STANDARD_LIBRARY;
    sh.copy_file(Path::new(&sysroot).join(from), root.join(to))?;
    sh.write_file(root.join("sbom.cdx.json"), &bill)?;

    let to = folder.join(format!("{name}.tar.gz"));
    archive::pack(sh, &root, &commit.timestamp, build.compression(), &to)?;
    Ok(sh.write_file(folder.join(format!("{name}.cdx.json")), bill)?)
}
