//! Plays scripts that a seed chooses, and shortens one that breaks a promise.

use std::cell::Cell;
use std::time::Duration;

use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner, contextualize_config};

use super::promises::Broken;
use super::script::{Step, scripts};
use super::world::play;

/// The steps of a script, at most.
const STEPS: usize = 24;

/// How many scripts were played, with how many steps, in how much time of the simulation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Played {
    pub(super) scripts: u32,
    pub(super) steps: usize,
    pub(super) time: Duration,
}

/// A script that breaks a promise.
#[derive(Debug)]
pub(super) struct BrokenScript {
    pub(super) broken: Broken,
    pub(super) script: Vec<Step>,
}

/// Plays `count` scripts, or as many as the environment says. Stops at one that breaks a promise, and shortens it.
pub(super) fn search(count: u32) -> (Played, Option<BrokenScript>) {
    let played = Cell::new(Played::default());
    let is_shrinking = Cell::new(false);
    let config = contextualize_config(Config {
        cases: count,
        failure_persistence: None,
        max_shrink_iters: 600,
        ..Config::default()
    });
    let ran = TestRunner::new(config).run(&scripts(STEPS), |script| {
        let ended = play(&script);
        if !is_shrinking.get() {
            let so_far = played.get();
            played.set(Played {
                scripts: so_far.scripts + 1,
                steps: so_far.steps + script.len(),
                time: so_far.time + ended.time,
            });
        }
        ended.broken.map_or(Ok(()), |broken| {
            is_shrinking.set(true);
            Err(TestCaseError::fail(broken.promise))
        })
    });
    let found = match ran {
        Ok(()) => None,
        Err(TestError::Fail(_, script)) => {
            let ended = play(&script);
            Some(BrokenScript {
                broken: ended
                    .broken
                    .expect("the same script breaks the same promise"),
                script,
            })
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    };
    (played.get(), found)
}
