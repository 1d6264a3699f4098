//! `cargo xtask gallery`: pictures of every state of the checkout and of the payments, on sheets to look at.

use super::dist;
use super::test::E2E_TOOLS;
use crate::error::Result;
use crate::step::Step;
use crate::tools;
use crate::workspace::{Workspace, run as run_command};

/// In cargo's folder for what it builds: nothing there is kept for long.
const FOLDER: &str = "target/gallery";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let toolbox = tools::ensure(workspace, &[Step::E2e])?;
    dist::page(workspace, &toolbox)?;
    println!("\n==> The pictures");
    let words = "test --package tender-e2e --features browser gallery -- --ignored";
    let mut command = workspace.command("cargo");
    command
        .args(words.split_whitespace())
        .env("PATH", toolbox.path())
        .env("TENDER_GALLERY", workspace.root().join(FOLDER));
    for (variable, tool) in E2E_TOOLS {
        command.env(variable, toolbox.program(tool));
    }
    run_command(&mut command)?;
    println!("\nThe gallery is in {FOLDER}: sheets, and index.html with each picture");
    Ok(())
}
