//! The commit that a release is built from. Its time is the time of everything in the release.

use crate::error::{Error, Result};
use crate::workspace::{Workspace, output};

pub(super) struct Commit {
    pub(super) hash: String,
    /// Seconds since 1970.
    pub(super) time: u64,
    /// The same in UTC (RFC 3339).
    pub(super) timestamp: String,
}

impl Commit {
    /// The commit that is checked out. Prints a warning if files differ from it.
    pub(super) fn current(workspace: &Workspace) -> Result<Self> {
        let mut log = workspace.command("git");
        log.args(["log", "-1", "--format=%H %ct %cd"])
            .arg("--date=format-local:%Y-%m-%dT%H:%M:%SZ")
            .env("TZ", "UTC");
        let commit = Self::parse(&output(&mut log)?).ok_or(Error::NoCommit)?;
        let mut status = workspace.command("git");
        status.args(["status", "--porcelain"]);
        if !output(&mut status)?.trim().is_empty() {
            println!(
                "    Warning: files differ from the commit {}, so nobody can build the same release from it.",
                commit.hash
            );
        }
        Ok(commit)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        Some(Self {
            hash: words.next()?.to_owned(),
            time: words.next()?.parse().ok()?,
            timestamp: words.next()?.to_owned(),
        })
    }
}
