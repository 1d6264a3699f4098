//! `cargo xtask docs`: the documentation site, made by mdBook from `docs/`.

use std::path::PathBuf;

use crate::error::Result;
use crate::tools::{self, Toolbox};
use crate::workspace::{Workspace, run as run_command};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let toolbox = tools::ensure_with(workspace, &[], &["mdbook"])?;
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
    )
}

/// Where the site is made.
pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("book")
}
