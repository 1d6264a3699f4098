//! What a failed task said, for the end of a run: the tasks beside it print much after it.

use std::collections::VecDeque;
use std::fmt;

/// How many lines of a task are kept.
const KEPT: usize = 60;

/// Reads the output of one task.
#[derive(Default)]
pub(super) struct Failures {
    /// What the test programs print about the tests that failed, between `failures:` and `test result:`.
    told: Vec<String>,
    is_telling: bool,
    /// The latest lines, for a task that fails otherwise.
    latest: VecDeque<String>,
}

impl Failures {
    pub(super) fn read(&mut self, line: &str) {
        // As the standard test harness and wasm-bindgen's both print it.
        self.is_telling |= line.trim() == "failures:";
        if self.is_telling && self.told.len() < KEPT {
            self.told.push(line.to_owned());
        }
        self.is_telling &= !line.starts_with("test result: ");
        self.latest.push_back(line.to_owned());
        if self.latest.len() > KEPT {
            self.latest.pop_front();
        }
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let latest = self.latest.iter().filter(|_| self.told.is_empty());
        for line in self.told.iter().chain(latest) {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> String {
        let mut failures = Failures::default();
        for line in lines {
            failures.read(line);
        }
        failures.to_string()
    }

    #[test]
    fn tells_what_the_programs_told_or_the_latest_lines() {
        let lines = [
            "test one ... FAILED",
            "failures:",
            "---- one stdout ----",
            "failures:",
            "    one",
            "test result: FAILED. 0 passed; 1 failed",
            "test two ... ok",
        ];
        assert_eq!(
            read(&lines),
            format!("    {}\n", lines[1..6].join("\n    "))
        );
        let many: Vec<_> = (0..KEPT + 2).map(|line| line.to_string()).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        assert_eq!(read(&many), format!("    {}\n", many[2..].join("\n    ")));
    }
}
