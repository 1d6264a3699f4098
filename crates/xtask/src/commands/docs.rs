//! `cargo xtask docs`: the documentation site, made by mdBook from `docs/`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::cmd;

use crate::tools;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    tools::ensure_with(workspace, &[], &["mdbook", "mermaid"])?;
    build(workspace)?;
    println!(
        "\nThe documentation is in {}",
        folder(workspace).join("index.html").display()
    );
    Ok(())
}

pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let sh = &workspace.sh;
    let folder = folder(workspace);
    cmd!(sh, "mdbook build --dest-dir {folder}").run()?;
    let mermaid = sh.var("MERMAID")?;
    Ok(sh.copy_file(Path::new(&mermaid).join("mermaid.tiny.js"), folder)?)
}

/// Where the site is made.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("book")
}
