//! `cargo xtask doctor`: lists the tools that are installed and missing, and what needs them. Changes nothing.

use crate::error::{Error, Result};
use crate::step::Step;
use crate::tools::{self, State, Tool};
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let mut missing = 0;
    for (tool, state) in tools::survey(workspace, &Step::ALL)? {
        match state {
            State::Ready(found) => {
                println!(
                    "ok       {} {} ({})",
                    tool.name,
                    found.version,
                    found.path.display()
                );
            }
            State::Missing { other } => {
                missing += 1;
                println!("MISSING  {}", tool.title());
                if let Some(other) = other {
                    println!(
                        "         {} at {} is version {}",
                        tool.name,
                        other.path.display(),
                        other.version
                    );
                }
                println!(
                    "         install it with `cargo xtask setup`, or: {}",
                    tool.how_to_get()
                );
            }
        }
        println!("         {}; for {}", tool.why, commands(&tool));
    }
    if missing == 0 {
        println!("\nAll tools for `cargo xtask demo`, `dist` and `test` are installed.");
        Ok(())
    } else {
        Err(Error::ToolsMissing { count: missing })
    }
}

/// The commands that need a tool: `demo, dist, test e2e`.
fn commands(tool: &Tool) -> String {
    let of_step = |step: &Step| match step {
        Step::Dist => "demo, dist".to_owned(),
        step => format!("test {}", step.name()),
    };
    tool.needed_by
        .iter()
        .map(of_step)
        .collect::<Vec<_>>()
        .join(", ")
}
