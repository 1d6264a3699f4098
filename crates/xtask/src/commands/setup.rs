//! `cargo xtask setup`: installs the tools that the steps need.

use anyhow::Result;

use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, steps: &[Step]) -> Result<()> {
    tools::ensure(workspace, steps)?;
    println!("\nAll tools are installed.");
    Ok(())
}
