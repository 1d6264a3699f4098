//! `cargo xtask npm`: assembles the npm package and packs it. Nothing is published.

mod manifest;
mod tables;

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::bundle::artifact::ARTIFACTS;
use crate::error::Result;
use crate::workspace::{Workspace, run as run_command};

/// The files that only the package has.
const SOURCES: &str = "npm";
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The version of the workspace, which all packages share.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The public address of the repository.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let tarball = pack(workspace)?;
    println!("\nThe package is {}", tarball.display());
    Ok(())
}

/// Packs the package, lists what is in it, and returns the path of the tarball.
pub(crate) fn pack(workspace: &Workspace) -> Result<PathBuf> {
    println!("\n==> The npm package");
    let folder = workspace.target().join("npm");
    let package = folder.join("package");
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    fs::create_dir_all(&package)?;
    assemble(workspace.root(), &package)?;
    // What the file lacks: Cargo.toml has it.
    let fields = [
        format!("version={VERSION}"),
        format!("repository.url=git+{REPOSITORY}.git"),
        format!("homepage={REPOSITORY}#readme"),
        format!("bugs.url={REPOSITORY}/issues"),
    ];
    let npm = || {
        let mut npm = workspace.command("npm");
        npm.current_dir(&package);
        npm
    };
    run_command(npm().args(["pkg", "set"]).args(fields))?;
    run_command(npm().args(["pack", "--pack-destination"]).arg(&folder))?;
    Ok(folder.join(format!("tender-checkout-{VERSION}.tgz")))
}

/// Copies the package's own files, the types that the proxy serves, and the licences, and generates the manifest.
fn assemble(root: &Path, package: &Path) -> Result<()> {
    let sources = root.join(SOURCES);
    let entries = fs::read_dir(&sources)?;
    let own = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    let types = ARTIFACTS
        .iter()
        .map(|artifact| root.join(artifact.sources).join(artifact.types()));
    let licenses = LICENSES.iter().map(|license| root.join(license));
    for file in own.into_iter().chain(types).chain(licenses) {
        let name = file.file_name().unwrap_or_default();
        fs::copy(&file, package.join(name))?;
    }
    let manifest = manifest::of(root)?;
    let file = package.join("custom-elements.json");
    Ok(fs::write(file, format!("{manifest:#}\n"))?)
}
