//! Every parser that reads the network, fed with examples that were damaged at random.
//!
//! `cargo xtask fuzz SECONDS` runs them for as long; the tests, for a second each. A parser must not
//! panic, and what it accepts must be what an independent reading finds.

mod damage;
mod targets;

use std::env;
use std::io::Write as _;
use std::time::{Duration, Instant};

use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// Inputs between two looks at the clock.
const BATCH: u32 = 200;

/// Feeds `read` with damaged seeds until the time is over, and says how many it tried. One that fails is
/// made as small as it can be before it is shown.
fn fuzz(name: &str, seeds: &[&str], read: impl Fn(&[u8])) {
    let seconds = env::var("TENDER_FUZZ_SECONDS").map_or(1, |text| text.parse().unwrap());
    let until = Instant::now() + Duration::from_secs(seconds);
    for seed in seeds {
        read(seed.as_bytes());
    }
    let inputs = damage::of(seeds);
    let mut tried = 0_u64;
    while Instant::now() < until {
        let config = Config {
            cases: BATCH,
            failure_persistence: None,
            ..Config::default()
        };
        let ran = TestRunner::new(config).run(&inputs, |input| {
            read(&input);
            Ok::<(), TestCaseError>(())
        });
        if let Err(failure) = ran {
            panic!("{name}: {failure}");
        }
        tried += u64::from(BATCH);
    }
    // Not by a macro, whose output the test harness keeps to itself.
    let told = format!("fuzz: {name:<16} {tried:>9} inputs in {seconds} s\n");
    std::io::stderr().write_all(told.as_bytes()).unwrap();
}
