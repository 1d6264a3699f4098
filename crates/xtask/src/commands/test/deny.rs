//! The step `deny`: the rules of `deny.toml`.

use anyhow::Result;
use xshell::cmd;

use super::report::LEFT_OUT;
use crate::workspace::Workspace;

/// Says what was not checked: the database of advisories is a repository on GitHub, which some networks can't reach.
pub(super) fn run(workspace: &Workspace) -> Result<()> {
    let sh = &workspace.sh;
    // Without `--workspace` only the root package would be checked.
    let rules = ["licenses", "bans", "sources"];
    cmd!(sh, "cargo-deny --workspace check --hide-inclusion-graph")
        .args(rules)
        .run()?;
    // A firewall may drop git's packets silently.
    if let Err(error) = cmd!(sh, "timeout 60s cargo-deny --workspace fetch db").run() {
        println!("    {error}");
        println!("{LEFT_OUT}security advisories, as their database could not be fetched");
        return Ok(());
    }
    let advisories = cmd!(
        sh,
        "cargo-deny --workspace check --disable-fetch advisories"
    );
    Ok(advisories.run()?)
}
