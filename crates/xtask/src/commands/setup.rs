//! `cargo xtask setup`: installs the tools that the steps need.

use anyhow::Result;
use clap::ValueEnum as _;

use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

/// Installs the tools of these steps; of all if there are none.
pub(crate) fn run(workspace: &Workspace, named: &[Step]) -> Result<()> {
    let all = Step::value_variants();
    tools::ensure(workspace, if named.is_empty() { all } else { named })?;
    println!("\nAll tools are installed.");
    Ok(())
}
