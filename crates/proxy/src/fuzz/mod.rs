//! Fuzz tests for every parser of network input.
//!
//! `cargo xtask fuzz SECONDS` runs each for that long; the test suite runs each for a second. A
//! parser must not panic, and an accepted input must agree with an independent parser.

mod damage;
mod forms;
mod headers;
mod payment_page;
mod queries;
mod records;
mod requests;

use std::env;
use std::io::Write as _;
use std::time::{Duration, Instant};

use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// Signs orders and receipts.
const SECRET: &str = "an order key of the tests, 32 characters or more";

/// A token listing.
const TOKEN: &str = r#"[{"uuid":"5f0c","name":"Tether USD","symbol":"USDT","token":"usdtt","decimals":6,
"logo":"https://logos.example/usdt.png","network_uuid":"9a","network":{"name":"TRON","token":"trx",
"currency":"TRX","explorer":"https://tronscan.org/#/transaction/","uuid":"9a"},"meta":{}}]"#;

/// The text, if it is UTF-8.
fn text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok()
}

/// Number of inputs between two checks of the clock.
const BATCH: u32 = 200;

/// Calls `read` with damaged seeds until the time is over and prints the number of inputs. A
/// failing input is shrunk before it is shown.
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
    // Written directly, because the test harness captures the output of `println!`.
    let line = format!("fuzz: {name:<16} {tried:>9} inputs in {seconds} s\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}
