//! The time of each test, from when its result is printed. The standard harness tells it only with unstable options.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use std::{iter, mem};

/// Reads the output of test programs, one after the other.
pub(super) struct Clock {
    /// How many tests run at the same time.
    threads: usize,
    began: Option<Instant>,
    /// The tests that have ended, in this order, and when.
    ended: Vec<(String, Instant)>,
}

impl Clock {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            threads,
            began: None,
            ended: Vec::new(),
        }
    }

    /// Reads a line. Returns the time of each test when a program has ended.
    pub(super) fn read(&mut self, line: &str, now: Instant) -> Vec<(String, Duration)> {
        if line.starts_with("running ") {
            self.began = Some(now);
            self.ended.clear();
        } else if line.starts_with("test result: ") {
            return self.times();
        } else if let Some(name) = ended(line) {
            self.ended.push((name.to_owned(), now));
        }
        Vec::new()
    }

    /// The harness starts the tests in the order of their names: the first on each thread, each later one when another ends.
    /// In a browser, one runs after the other, in any order.
    fn times(&mut self) -> Vec<(String, Duration)> {
        let ended = mem::take(&mut self.ended);
        let mut names: Vec<_> = ended.iter().map(|(name, _)| name.clone()).collect();
        if self.threads > 1 {
            names.sort_unstable();
        }
        let first = iter::repeat_n(self.began.take(), self.threads);
        let starts = first.chain(ended.iter().map(|(_, end)| Some(*end)));
        let starts: BTreeMap<_, _> = names.into_iter().zip(starts).collect();
        let time = |(name, end): (String, Instant)| {
            let start = starts.get(&name).copied().flatten()?;
            Some((name, end.saturating_duration_since(start)))
        };
        ended.into_iter().filter_map(time).collect()
    }
}

/// The name in `test orders::are_signed ... ok`, unless it was ignored.
fn ended(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    (!result.starts_with("ignored")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times in seconds, of tests that end at these seconds.
    fn times(threads: usize, ends: &[(u64, &str)]) -> Vec<(String, u64)> {
        let mut clock = Clock::new(threads);
        let start = Instant::now();
        clock.read("running 4 tests", start);
        for (second, name) in ends {
            let now = start + Duration::from_secs(*second);
            assert_eq!(clock.read(&format!("test {name} ... ok"), now), []);
        }
        clock.read("test z ... ignored, on request", start);
        let times = clock.read("test result: ok. 4 passed", start).into_iter();
        times.map(|(name, time)| (name, time.as_secs())).collect()
    }

    #[test]
    fn a_test_starts_when_another_ends() {
        let expect = |expected: &[(&str, u64)]| {
            let expected = expected.iter();
            expected
                .map(|(name, time)| ((*name).to_owned(), *time))
                .collect::<Vec<_>>()
        };
        // `a` and `b` start at once, `c` after `b`, `d` after `c`.
        assert_eq!(
            times(2, &[(1, "b"), (3, "c"), (4, "a"), (5, "d")]),
            expect(&[("b", 1), ("c", 2), ("a", 4), ("d", 2)])
        );
        assert_eq!(
            times(1, &[(1, "b"), (3, "c"), (4, "a")]),
            expect(&[("b", 1), ("c", 2), ("a", 1)])
        );
    }
}
