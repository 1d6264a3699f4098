//! `cargo xtask gallery`: screenshots of every state of both elements.

use super::dist;
use super::test::E2E_TOOLS;
use crate::error::Result;
use crate::step::Step;
use crate::tools;
use crate::workspace::{Workspace, run as run_command};

/// In cargo's target folder, as the screenshots are temporary.
const FOLDER: &str = "target/gallery";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let toolbox = tools::ensure(workspace, &[Step::E2e])?;
    dist::page(workspace, &toolbox)?;
    println!("\n==> The screenshots");
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
    println!("\nThe gallery is in {FOLDER}: index.html shows each screenshot");
    Ok(())
}
