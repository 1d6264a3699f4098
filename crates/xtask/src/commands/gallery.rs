//! `cargo xtask gallery`: screenshots of every state of both elements.

use super::dist;
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
        .envs(toolbox.variables())
        .env("TENDER_GALLERY", workspace.root().join(FOLDER));
    run_command(&mut command)?;
    println!("\nThe gallery is in {FOLDER}: index.html shows each screenshot");
    Ok(())
}
