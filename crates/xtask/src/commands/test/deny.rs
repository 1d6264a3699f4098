//! The step `deny`: the rules of `deny.toml`.

use std::time::Duration;

use crate::error::Result;
use crate::tools::Toolbox;
use crate::workspace::{Workspace, run as run_command, run_within};

/// A firewall may drop git's packets silently.
const FETCH_LIMIT: Duration = Duration::from_mins(1);

/// Returns what was not checked: the database of advisories is a repository on GitHub, which some networks can't reach.
pub(super) fn run(workspace: &Workspace, toolbox: &Toolbox) -> Result<Option<&'static str>> {
    let deny = |words: &str| {
        let mut command = workspace.command(toolbox.program("cargo-deny"));
        // Without this only the root package would be checked.
        command.arg("--workspace").args(words.split_whitespace());
        command
    };
    run_command(&mut deny(
        "check --hide-inclusion-graph licenses bans sources",
    ))?;
    if let Err(error) = run_within(&mut deny("fetch db"), FETCH_LIMIT) {
        println!("    {error}");
        return Ok(Some(
            "SKIPPED: security advisories, as their database could not be fetched",
        ));
    }
    run_command(&mut deny("check --disable-fetch advisories"))?;
    Ok(None)
}
