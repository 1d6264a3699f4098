//! `cargo xtask npm`: assembles the npm package and packs it. Nothing is published.

mod manifest;
mod tables;

use std::path::PathBuf;

use anyhow::Result;
use xshell::cmd;

use crate::bundle::artifact::ARTIFACTS;
use crate::workspace::Workspace;

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
    let sh = &workspace.sh;
    let folder = workspace.target().join("npm");
    let package = folder.join("package");
    sh.remove_path(&package)?;
    sh.create_dir(&package)?;
    let own = sh.read_dir("npm")?;
    let types = ARTIFACTS.map(|artifact| format!("{}/{}", artifact.sources, artifact.types()));
    let licenses = ["LICENSE-APACHE", "LICENSE-MIT"];
    cmd!(
        sh,
        "cp --target-directory {package} {own...} {types...} {licenses...}"
    )
    .run()?;
    let manifest = manifest::of(workspace.root())?;
    sh.write_file(
        package.join("custom-elements.json"),
        format!("{manifest:#}\n"),
    )?;
    // What the file lacks: Cargo.toml has it.
    let fields = [
        format!("version={VERSION}"),
        format!("repository.url=git+{REPOSITORY}.git"),
        format!("homepage={REPOSITORY}#readme"),
        format!("bugs.url={REPOSITORY}/issues"),
    ];
    let _in_package = sh.push_dir(&package);
    // They refuse to pack the sources, which lack the types.
    cmd!(sh, "npm pkg delete scripts").run()?;
    cmd!(sh, "npm pkg set {fields...}").run()?;
    cmd!(sh, "npm pack --pack-destination {folder}").run()?;
    Ok(folder.join(format!("tender-checkout-{VERSION}.tgz")))
}
