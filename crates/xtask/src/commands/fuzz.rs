//! `cargo xtask fuzz`: runs the fuzz and property tests with other inputs than the tests do, until one fails.

use std::time::{Duration, Instant, SystemTime};

use lexopt::ValueExt as _;

use crate::error::Result;
use crate::workspace::{self, Workspace};

/// How long it searches by default.
const SECONDS: u64 = 600;

const TESTS: [&str; 4] = [
    "test --package tender-proxy --lib fuzz::",
    "test --package tender-sandbox --lib price::",
    "test --package tender-element --test event_stream",
    "test --package tender-protocol --package tender-checkout-core --package tender-payments-core --lib --tests",
];

pub(crate) fn run(workspace: &Workspace, mut args: lexopt::Parser) -> Result<()> {
    let seconds = match args.next()? {
        Some(lexopt::Arg::Value(seconds)) => seconds.parse()?,
        Some(other) => return Err(other.unexpected().into()),
        None => SECONDS,
    };
    let until = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < until {
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        let seed = now.as_millis().to_string();
        println!("    PROPTEST_RNG_SEED={seed}");
        for tests in TESTS {
            let mut cargo = workspace.command("cargo");
            cargo.args(tests.split(' ')).env("PROPTEST_RNG_SEED", &seed);
            workspace::run(&mut cargo)?;
        }
    }
    Ok(())
}
