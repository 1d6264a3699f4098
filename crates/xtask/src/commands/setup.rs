//! `cargo xtask setup`: installs what the steps need, and nothing else.

use crate::error::Result;
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, steps: &[Step]) -> Result<()> {
    tools::ensure(workspace, steps)?;
    println!("\nEverything is there.");
    Ok(())
}
