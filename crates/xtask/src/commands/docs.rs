//! `cargo xtask docs`: the documentation site, made by mdBook from `docs/`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
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

/// Makes the site in another folder first, so that the demo never serves an incomplete one.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let sh = &workspace.sh;
    let folder = folder(workspace);
    let draft = folder.with_extension("draft");
    cmd!(sh, "mdbook build --dest-dir {draft}").run()?;
    let mermaid = sh.var("MERMAID")?;
    sh.copy_file(Path::new(&mermaid).join("mermaid.tiny.js"), &draft)?;
    sh.remove_path(&folder)?;
    Ok(fs::rename(draft, folder)?)
}

/// Where the site is made.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("book")
}
