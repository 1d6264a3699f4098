//! The step `deny`: the rules of `deny.toml`.

use std::time::Duration;

use crate::error::Result;
use crate::tools::Toolbox;
use crate::workspace::{Workspace, run as run_command, run_within};

/// A firewall may drop what git sends without a word.
const FETCH_LIMIT: Duration = Duration::from_mins(1);

pub(super) fn run(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    let deny = || {
        let mut command = workspace.command(toolbox.program("cargo-deny"));
        // The root is a package too, and would be looked at alone.
        command.arg("--workspace");
        command
    };
    run_command(deny().args([
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ]))?;
    match run_within(deny().args(["fetch", "db"]), FETCH_LIMIT) {
        Ok(()) => run_command(deny().args(["check", "--disable-fetch", "advisories"])),
        Err(error) => {
            println!(
                "    LEFT OUT: the security advisories were not checked, as their database could not be \
                 fetched: {error}"
            );
            Ok(())
        }
    }
}
