//! `cargo xtask gallery`: screenshots of every state of both elements.

use anyhow::Result;
use xshell::cmd;

use super::dist;
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

/// In cargo's target folder, as the screenshots are temporary.
const FOLDER: &str = "target/gallery";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Step::E2e])?;
    dist::page(workspace)?;
    println!("\n==> The screenshots");
    cmd!(
        workspace.sh,
        "cargo test --package tender-e2e --features browser gallery -- --ignored"
    )
    .env("TENDER_GALLERY", workspace.root().join(FOLDER))
    .run()?;
    println!("\nThe gallery is in {FOLDER}: index.html shows each screenshot");
    Ok(())
}
