//! `cargo xtask docs`: the documentation site, made by mdBook from `docs/`.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::error::Result;
use crate::tools::{self, Toolbox};
use crate::workspace::{Workspace, run as run_command};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let toolbox = tools::ensure_with(workspace, &[], &["mdbook", "mermaid"])?;
    build(workspace, &toolbox)?;
    println!(
        "\nThe documentation is in {}",
        folder(workspace).join("index.html").display()
    );
    Ok(())
}

pub(crate) fn build(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    run_command(
        workspace
            .command(toolbox.program("mdbook"))
            .arg("build")
            .arg("--dest-dir")
            .arg(folder(workspace)),
    )?;
    let script = Path::new(&toolbox.program("mermaid")).join("mermaid.tiny.js");
    fs::copy(script, folder(workspace).join("mermaid.tiny.js"))?;
    Ok(())
}

/// Where the site is made.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("book")
}
