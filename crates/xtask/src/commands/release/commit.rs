//! The commit that a release is built from. Its time is the time of everything in the release.

use anyhow::{Context as _, Result};
use xshell::cmd;

use crate::workspace::Workspace;

pub(super) struct Commit {
    pub(super) hash: String,
    /// Its time in UTC (RFC 3339).
    pub(super) timestamp: String,
}

impl Commit {
    /// The commit that is checked out. Prints a warning if files differ from it.
    pub(super) fn current(workspace: &Workspace) -> Result<Self> {
        let sh = &workspace.sh;
        let format = ["--format=%H %cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ"];
        let log = cmd!(sh, "git log -1 {format...}").env("TZ", "UTC").read();
        let log = log.context(
            "make releases in a clone of the repository: the commit's time is that of all files",
        )?;
        let (hash, timestamp) = log.split_once(' ').context("git names no commit")?;
        if !cmd!(sh, "git status --porcelain").read()?.is_empty() {
            println!(
                "    Warning: files differ from the commit {hash}, so nobody can build the same release from it."
            );
        }
        Ok(Self {
            hash: hash.to_owned(),
            timestamp: timestamp.to_owned(),
        })
    }
}
