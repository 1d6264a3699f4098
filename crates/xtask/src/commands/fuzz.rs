//! `cargo xtask fuzz` and `cargo xtask simulate`: run the tests with random inputs with others than the tests do, until one fails.

use std::time::{Duration, Instant, SystemTime};

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// With all packages, so that cargo builds no dependency again with other features.
pub(crate) const TESTS: [&str; 2] = [
    "test --workspace --lib -- fuzz:: price:: hex::",
    "test --workspace --test amounts --test checkout --test event_stream --test payments --test records",
];

/// The proxy between actors that misbehave.
pub(crate) const SIMULATION: [&str; 1] = [
    "test --package tender-proxy --package tender-features --lib -- simulation::tests::every --nocapture",
];

pub(crate) fn run(workspace: &Workspace, seconds: u64, tests: &[&str]) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < until {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let seed = now.as_millis().to_string();
        println!("    PROPTEST_RNG_SEED={seed}");
        for tests in tests {
            let cargo = cmd!(workspace.sh, "cargo").args(tests.split(' '));
            cargo.env("PROPTEST_RNG_SEED", &seed).run()?;
        }
    }
    Ok(())
}
