//! The step `deny`: the rules of `deny.toml`.

use std::process::Command;

use crate::error::Result;
use crate::tools::Toolbox;
use crate::workspace::{Workspace, run as run_command};

/// A firewall may drop git's packets silently.
const FETCH_LIMIT: &str = "60s";

/// Returns what was not checked: the database of advisories is a repository on GitHub, which some networks can't reach.
pub(super) fn run(workspace: &Workspace, toolbox: &Toolbox) -> Result<Option<&'static str>> {
    let cargo_deny = toolbox.program("cargo-deny");
    // Without `--workspace` only the root package would be checked.
    let deny = |mut command: Command, words: &str| {
        command.arg("--workspace").args(words.split_whitespace());
        run_command(&mut command)
    };
    let check = |words: &str| deny(workspace.command(&cargo_deny), words);
    check("check --hide-inclusion-graph licenses bans sources")?;
    let mut within_limit = workspace.command("timeout");
    within_limit.arg(FETCH_LIMIT).arg(&cargo_deny);
    if let Err(error) = deny(within_limit, "fetch db") {
        println!("    {error}");
        return Ok(Some(
            "SKIPPED: security advisories, as their database could not be fetched",
        ));
    }
    check("check --disable-fetch advisories")?;
    Ok(None)
}
