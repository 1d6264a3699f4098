//! What a test run says at its end: the time of each task, the slowest tests, and the number of tests.

use std::fmt;
use std::time::{Duration, Instant};

use super::failures::Failures;
use super::slowest::Clock;
use super::task::Task;

/// How many of the slowest tests are listed.
const SLOWEST: usize = 10;

/// How a task says that it left something out.
pub(super) const LEFT_OUT: &str = "LEFT OUT: ";

#[derive(Default)]
pub(super) struct Report {
    tasks: Vec<Entry>,
    /// The time of each test, and its name.
    tests: Vec<(Duration, String)>,
    passed: u64,
    failed: u64,
}

/// A task that was started.
struct Entry {
    task: Task,
    began: Instant,
    took: Duration,
    left_out: Option<String>,
    clock: Clock,
    failures: Failures,
}

impl Report {
    pub(super) fn begin(&mut self, task: Task) {
        self.tasks.push(Entry {
            task,
            began: Instant::now(),
            took: Duration::ZERO,
            left_out: None,
            clock: Clock::new(task.tests_at_a_time()),
            failures: Failures::default(),
        });
    }

    pub(super) fn end(&mut self, task: Task) {
        if let Some(entry) = self.entry(task) {
            entry.took = entry.began.elapsed();
        }
    }

    /// What this task said about its failure.
    pub(super) fn failures(&self, task: Task) -> Option<&Failures> {
        let entry = self.tasks.iter().find(|entry| entry.task == task);
        entry.map(|entry| &entry.failures)
    }

    fn entry(&mut self, task: Task) -> Option<&mut Entry> {
        self.tasks.iter_mut().find(|entry| entry.task == task)
    }

    /// Reads a line of a task's output, as it is printed.
    pub(super) fn read(&mut self, task: Task, line: &str) {
        self.read_at(task, line, Instant::now());
    }

    fn read_at(&mut self, task: Task, line: &str, now: Instant) {
        let Some(entry) = self.entry(task) else {
            return;
        };
        if line.trim_start().starts_with(LEFT_OUT) {
            entry.left_out = Some(line.trim().to_owned());
        }
        entry.failures.read(line);
        let times = entry.clock.read(line, now);
        let times = times
            .into_iter()
            .map(|(name, time)| (time, format!("{task}: {name}")));
        self.tests.extend(times);
        // As the standard test harness and wasm-bindgen's both print it.
        if let Some((_, result)) = line.split_once("test result: ") {
            self.passed += number_before(result, " passed;");
            self.failed += number_before(result, " failed;");
        }
    }
}

fn number_before(text: &str, word: &str) -> u64 {
    let number = text.split_once(word);
    let number = number.and_then(|(before, _)| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// `1 m 05 s`
pub(super) fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{} m {:02} s", seconds / 60, seconds % 60)
    }
}

/// Two tables, and a line such as `128 passed, 0 failed`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nTasks, several at a time:")?;
        for entry in &self.tasks {
            let left_out = entry.left_out.as_deref().unwrap_or_default();
            let name = entry.task.to_string();
            let line = format!("    {name:<9} {:>9}  {left_out}", minutes(entry.took));
            writeln!(f, "{}", line.trim_end())?;
        }
        let mut tests: Vec<_> = self.tests.iter().collect();
        tests.sort_unstable_by(|one, other| other.cmp(one));
        tests.truncate(SLOWEST);
        if !tests.is_empty() {
            writeln!(f, "\nThe slowest tests, beside others:")?;
        }
        for (time, name) in tests {
            writeln!(f, "    {:>9}  {name}", minutes(*time))?;
        }
        write!(f, "\n{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_the_results_of_both_harnesses_and_lists_what_took_long() {
        let mut report = Report::default();
        report.begin(Task::Native);
        let start = Instant::now();
        for (second, line) in [
            (0, "running 2 tests"),
            (7, "test amount::reads_exponents ... ok"),
            (7, "7 passed; 1 failed;"),
            (7, "test result: unknown"),
            (
                8,
                "test result: ok. 41 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            ),
            (
                9,
                "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 filtered out; finished in 1.20s\r",
            ),
            (
                9,
                "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            ),
            (9, "    LEFT OUT: advisories"),
        ] {
            report.read_at(Task::Native, line, start + Duration::from_secs(second));
        }
        let text = report.to_string();
        for part in [
            "native          0 s  LEFT OUT: advisories\n",
            "7 s  native: amount::reads_exponents\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(text.ends_with("\n44 passed, 2 failed"), "{text}");
    }
}
