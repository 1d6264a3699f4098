//! Counts tests from what test programs print.

use std::fmt;

/// The sum of all `test result:` lines read so far.
#[derive(Default)]
pub(super) struct Tally {
    passed: u64,
    failed: u64,
}

impl Tally {
    /// Adds a line like `test result: ok. 3 passed; 0 failed; 1 ignored; ...`, as the standard test harness
    /// and wasm-bindgen's both print it. Other lines are ignored.
    pub(super) fn read(&mut self, line: &str) {
        let Some((_, result)) = line.split_once("test result: ") else {
            return;
        };
        self.passed += number_before(result, " passed;").unwrap_or(0);
        self.failed += number_before(result, " failed;").unwrap_or(0);
    }
}

fn number_before(text: &str, word: &str) -> Option<u64> {
    text.split_once(word)?.0.rsplit(' ').next()?.parse().ok()
}

/// `128 passed, 0 failed`
impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_the_results_of_both_harnesses() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "test amount::reads_exponents ... ok",
            "7 passed; 1 failed;",
            "test result: unknown",
            "test result: ok. 41 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.01s\n",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 filtered out; finished in 1.20s\r\n",
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        ] {
            tally.read(line);
        }
        assert_eq!(tally.to_string(), "44 passed, 2 failed");
    }
}
