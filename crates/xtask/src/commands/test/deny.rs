//! The step `deny`: the rules of `deny.toml`.

use std::time::Duration;

use crate::error::Result;
use crate::tools::Toolbox;
use crate::workspace::{Workspace, run as run_command, run_within};

/// A firewall may drop what git sends without a word.
const FETCH_LIMIT: Duration = Duration::from_mins(1);

/// What was not checked, if anything: the database of advisories is a repository on GitHub, which a
/// closed network does not reach.
pub(super) fn run(workspace: &Workspace, toolbox: &Toolbox) -> Result<Option<&'static str>> {
    let deny = |words: &str| {
        let mut command = workspace.command(toolbox.program("cargo-deny"));
        // The root is a package too, and would be looked at alone.
        command.arg("--workspace").args(words.split_whitespace());
        command
    };
    run_command(&mut deny(
        "check --hide-inclusion-graph licenses bans sources",
    ))?;
    if let Err(error) = run_within(&mut deny("fetch db"), FETCH_LIMIT) {
        println!("    {error}");
        return Ok(Some(
            "LEFT OUT: security advisories, as their database could not be fetched",
        ));
    }
    run_command(&mut deny("check --disable-fetch advisories"))?;
    Ok(None)
}
