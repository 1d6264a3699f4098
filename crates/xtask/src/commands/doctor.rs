//! `cargo xtask doctor`: lists the tools that are installed and missing, and what needs them. Changes nothing.

use anyhow::{Result, bail};

use crate::step::Step;
use crate::tools::{self, Tool};
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let mut missing = 0;
    let mut tools = tools::all(workspace)?;
    tools.retain(|tool| !tool.steps.is_empty());
    for (tool, found) in tools.iter().zip(tools::find_all(&tools)) {
        if let Some(found) = found {
            let (name, version) = (&tool.name, found.version);
            println!("ok       {name} {version} ({})", found.path.display());
        } else {
            missing += 1;
            let how_to_get = tools::how_to_get(&workspace.sh, tool);
            println!("MISSING  {}", tool.title());
            println!("         install it with `cargo xtask setup`, or: {how_to_get}");
        }
        println!("         {}; for {}", tool.why, commands(tool));
    }
    if missing == 0 {
        println!("\nAll tools for `cargo xtask demo`, `dist` and `test` are installed.");
        Ok(())
    } else {
        bail!("{missing} tools are missing; `cargo xtask setup` installs them");
    }
}

/// The commands that need a tool: `demo, dist, test e2e`.
fn commands(tool: &Tool) -> String {
    let of_step = |step: &Step| match step {
        Step::Dist => "demo, dist".to_owned(),
        step => format!("test {step}"),
    };
    tool.steps
        .iter()
        .map(of_step)
        .collect::<Vec<_>>()
        .join(", ")
}
