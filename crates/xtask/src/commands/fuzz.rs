//! `cargo xtask fuzz`: fuzzes the parsers of network input, for longer than the tests do.

use lexopt::ValueExt as _;

use crate::error::Result;
use crate::workspace::{self, Workspace};

/// How long each parser is fuzzed by default.
const SECONDS: u64 = 60;

pub(crate) fn run(workspace: &Workspace, mut args: lexopt::Parser) -> Result<()> {
    let seconds = match args.next()? {
        Some(lexopt::Arg::Value(seconds)) => seconds.parse()?,
        Some(other) => return Err(other.unexpected().into()),
        None => SECONDS,
    };
    let mut cargo = workspace.command("cargo");
    cargo
        .args(["test", "--package", "tender-proxy", "--lib", "fuzz::"])
        .env("TENDER_FUZZ_SECONDS", seconds.to_string());
    workspace::run(&mut cargo)
}
