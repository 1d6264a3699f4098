//! Fuzz tests for every parser of network input.
//!
//! A run of the tests tries the same inputs each time; `cargo xtask fuzz` searches for others. A parser must not panic, and an
//! accepted input must agree with an independent parser.

mod damage;
mod forms;
mod headers;
mod payment_page;
mod records;
mod requests;

use proptest::test_runner::{Config, TestError, TestRunner, contextualize_config};

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

/// The number of damaged inputs that each parser gets; `PROPTEST_CASES` changes it.
const CASES: u32 = 1000;

/// Calls `read` with the examples, and with damage to them. The smallest input that fails is shown as a line to add to them.
fn fuzz(examples: &[&str], read: impl Fn(&[u8])) {
    for example in examples {
        read(example.as_bytes());
    }
    let config = contextualize_config(Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    });
    let ran = TestRunner::new(config).run(&damage::of(examples), |input| {
        read(&input);
        Ok(())
    });
    match ran {
        Ok(()) => {}
        Err(TestError::Fail(reason, input)) => {
            let line = text(&input).map_or_else(
                || format!("b\"{}\"", input.escape_ascii()),
                |text| format!("{text:?}"),
            );
            panic!("{reason}\nadd this example to the test: {line},");
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}
