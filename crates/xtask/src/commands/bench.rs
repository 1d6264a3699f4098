//! `cargo xtask bench`: builds what is measured, installs what it is measured with, and measures.

use std::ffi::OsString;

use lexopt::prelude::*;

use super::dist;
use crate::error::Result;
use crate::step::Step;
use crate::tools;
use crate::workspace::{Workspace, run as run_command};

/// The peer on Node.js that the proxy is measured beside.
const PEER: &str = "crates/bench/peer";

/// What is measured by a program of its own: streams, of which the other load generator knows nothing.
const FOLLOWING: &str = "following";

/// The words are those of the measuring program, which checks them.
pub(crate) fn run(workspace: &Workspace, mut args: lexopt::Parser) -> Result<()> {
    let mut words = Vec::new();
    while let Some(arg) = args.next()? {
        match arg {
            Value(word) => words.push(word),
            other => return Err(other.unexpected().into()),
        }
    }
    if words.first().is_some_and(|word| word == FOLLOWING) {
        return following(workspace, &words);
    }
    let toolbox = tools::ensure_for_bench(workspace)?;
    dist::build(workspace, &toolbox)?;
    run_command(workspace.command("cargo").args([
        "build",
        "--release",
        "--package",
        "tender-sandbox",
        "--package",
        "tender-bench",
    ]))?;
    run_command(
        workspace
            .command(toolbox.program("npm"))
            .current_dir(workspace.root().join(PEER))
            .args(["ci", "--no-audit", "--no-fund"]),
    )?;
    run_command(
        workspace
            .command(workspace.release_binary("tender-bench"))
            .args(words)
            .env("PATH", toolbox.path()),
    )
}

/// Thousands of buyers who watch their payments.
fn following(workspace: &Workspace, words: &[OsString]) -> Result<()> {
    let toolbox = tools::ensure(workspace, &[Step::Dist])?;
    dist::build(workspace, &toolbox)?;
    let proxy = workspace.release_binary("tender-proxy");
    run_command(
        workspace
            .command("cargo")
            .args(["run", "--release", "--package", "tender-e2e"])
            .args(["--example", FOLLOWING, "--"])
            .arg(proxy)
            .args(words.iter().skip(1)),
    )
}
