//! The tasks of a test run: those that compile come first, then those that run tests, which mostly wait.

use std::{fmt, thread};

use anyhow::Result;
use clap::ValueEnum;
use xshell::cmd;

use super::elements::{self, Engine, PACKAGES};
use super::{deny, newcomer, programs};
use crate::commands::{dist, docs, loaders, size};
use crate::compile::WASM;
use crate::step::{Step, help};
use crate::workspace::Workspace;

/// A task. Of those that could start, the first in this order does: of those that run tests, the longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Task {
    /// Runs the README's first command as a new user does, until the shop has sold something
    Newcomer,
    /// Compares the formatting
    Fmt,
    /// Builds the programs, and their tests
    Programs,
    /// Builds the page and the widget, and compares their sizes with the budget
    Bundle,
    /// Builds the tests of the elements
    Elements,
    /// Runs the linter
    Clippy,
    /// Checks the dependencies
    Deny,
    /// Makes the documentation site
    Docs,
    /// Runs the end-to-end tests
    E2e,
    /// Runs the tests of the programs
    Native,
    /// Runs the tests of the elements in `WebKitGTK`
    Webkit,
    /// Runs the tests of the elements in Firefox
    Firefox,
    /// Runs the tests of the elements in Chromium
    Chromium,
}

/// The tasks of these steps, and those whose output they use.
pub(super) fn of(steps: &[Step]) -> Vec<Task> {
    let all = Task::value_variants().iter().copied();
    let is_named = |task: &Task| steps.contains(&task.step());
    let is_used = |task: &Task| {
        all.clone()
            .any(|other| is_named(&other) && other.uses().contains(task))
    };
    all.clone()
        .filter(|task| is_named(task) || is_used(task))
        .collect()
}

impl Task {
    /// What it does.
    pub(super) fn about(self) -> String {
        help(&self)
    }

    pub(super) const fn step(self) -> Step {
        match self {
            Self::Newcomer => Step::Newcomer,
            Self::Fmt => Step::Fmt,
            Self::Clippy => Step::Clippy,
            Self::Deny => Step::Deny,
            Self::Programs | Self::Native | Self::Docs => Step::Native,
            Self::Elements | Self::Chromium | Self::Firefox | Self::Webkit => Step::Browser,
            Self::Bundle => Step::Dist,
            Self::E2e => Step::E2e,
        }
    }

    /// Those whose output it uses.
    const fn uses(self) -> &'static [Self] {
        match self {
            Self::Native => &[Self::Programs],
            Self::Chromium | Self::Firefox | Self::Webkit => &[Self::Elements],
            Self::E2e => &[Self::Programs, Self::Bundle],
            _ => &[],
        }
    }

    /// Whether it compiles into cargo's folder for development. Cargo locks the folder meanwhile, also for those that only run
    /// what is there.
    const fn locks(self) -> bool {
        matches!(self, Self::Programs | Self::Elements | Self::Clippy)
    }

    /// Whether it may start beside those that run, and before those that wait.
    pub(super) fn may_start(self, running: &[Self], waiting: &[Self]) -> bool {
        let is_locked = |tasks: &[Self]| tasks.iter().any(|task| task.locks());
        let uses = self.uses();
        if self.locks() {
            !is_locked(running)
        } else if uses.is_empty() {
            true
        } else {
            let pending = [running, waiting].concat();
            !is_locked(&pending) && !pending.iter().any(|task| uses.contains(task))
        }
    }
    /// How many tests of a program run at the same time. A browser runs one, the standard harness one on each processor.
    pub(super) fn tests_at_a_time(self) -> usize {
        match self {
            Self::Chromium | Self::Firefox | Self::Webkit => 1,
            _ => thread::available_parallelism().map_or(1, usize::from),
        }
    }

    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        match self {
            Self::Newcomer => newcomer::run(workspace),
            Self::Fmt => Ok(cmd!(workspace.sh, "cargo fmt --all --check").run()?),
            Self::Programs => programs::build(workspace),
            Self::Elements => elements::build(workspace),
            Self::Native => programs::native(workspace),
            Self::Bundle => {
                dist::page(workspace)?;
                size::run(workspace)
            }
            Self::Chromium => {
                elements::run_all(workspace, Engine::Chromium)?;
                elements::run_all(workspace, Engine::ChromiumAccessibility)
            }
            Self::Firefox => elements::run_all(workspace, Engine::Firefox),
            Self::Webkit => elements::run_all(workspace, Engine::Webkit),
            Self::E2e => programs::end_to_end(workspace),
            Self::Clippy => clippy(workspace),
            Self::Deny => deny::run(workspace),
            Self::Docs => docs::build(workspace),
        }
    }
}

/// The packages that touch the DOM are only built for WebAssembly. They include the loaders. They come first, because a processor is
/// idle while they are checked, and the bundle is made at the same time.
fn clippy(workspace: &Workspace) -> Result<()> {
    loaders::bundle(workspace)?;
    let sh = &workspace.sh;
    let dom = PACKAGES.iter().flat_map(|package| ["--package", package]);
    cmd!(
        sh,
        "cargo clippy --target {WASM} {dom...} --all-targets -- -D warnings"
    )
    .run()?;
    let others = PACKAGES.iter().flat_map(|package| ["--exclude", package]);
    cmd!(
        sh,
        "cargo clippy --workspace {others...} --all-targets --all-features -- -D warnings"
    )
    .run()?;
    Ok(())
}

/// Its name on the command line.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().ok_or(fmt::Error)?.get_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_to_end_tests_bring_the_programs_and_a_fresh_bundle() {
        assert_eq!(of(&[Step::E2e]), [Task::Programs, Task::Bundle, Task::E2e]);
        assert_eq!(of(&[Step::Fmt, Step::Deny]), [Task::Fmt, Task::Deny]);
        assert_eq!(of(Step::value_variants()), Task::value_variants());
    }
}
