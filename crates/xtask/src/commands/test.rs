//! `cargo xtask test`: every check that a change must pass, several at a time; or the tests of one package.

mod deny;
mod elements;
mod failures;
mod lanes;
mod newcomer;
mod programs;
mod report;
mod slowest;
pub(crate) mod start;
mod task;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum as _};

pub(crate) use self::programs::end_to_end_tests;
pub(crate) use self::task::Task;

use self::elements::Engine;
use self::lanes::Lanes;
use super::loaders;
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Steps, by default all. With a package, one step, and a filter or other arguments of `cargo test`.
    words: Vec<String>,
    /// Runs only the tests of this package: of the step `native`, or `browser`.
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// Runs the package's tests only in this browser.
    #[arg(long, requires = "package")]
    engine: Option<Engine>,
}

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    match &arguments.package {
        Some(package) => of_package(workspace, package, arguments),
        None => all(workspace, &steps(&arguments.words)?),
    }
}

/// The steps with these names; all if there are none.
fn steps(names: &[String]) -> Result<Vec<Step>> {
    let steps = names.iter().map(|name| step(name));
    let selected = steps.collect::<Result<Vec<_>>>()?;
    let all = Step::value_variants().iter();
    let is_selected = |step: &Step| selected.is_empty() || selected.contains(step);
    Ok(all.copied().filter(is_selected).collect())
}

fn step(name: &str) -> Result<Step> {
    let step = Step::from_str(name, false).ok();
    step.with_context(|| {
        format!(
            "`{name}` is not a step; `cargo xtask doctor` names them. A filter needs `--package`"
        )
    })
}

fn all(workspace: &Workspace, steps: &[Step]) -> Result<()> {
    let is_full = steps == Step::value_variants();
    let first = usize::from(is_full && !newcomer::is_new_clone(workspace));
    let steps = steps.get(first..).unwrap_or_default();
    let mut lanes = Lanes::new(workspace);
    // The demo installs its tools itself, so the tools of the other steps come after it.
    for steps in steps.chunk_by(|step, _| *step != Step::Newcomer) {
        let tasks = task::of(steps);
        // It needs no tools, and downloads leave a processor idle.
        if tasks.contains(&Task::Programs) {
            lanes.start(Task::Programs)?;
        }
        tools::ensure(workspace, steps)?;
        lanes.run(&tasks)?;
    }
    println!("\n==> All passed\n{}", lanes.report);
    Ok(())
}

/// Runs the tests of one package, in this terminal.
fn of_package(workspace: &Workspace, package: &str, arguments: &Arguments) -> Result<()> {
    let Some((step, rest)) = arguments.words.split_first() else {
        bail!("say the step first, as in `cargo xtask test native --package {package}`");
    };
    let step = self::step(step)?;
    tools::ensure(workspace, &[step])?;
    match step {
        Step::Native => programs::of_package(workspace, package, rest),
        Step::Browser => {
            loaders::bundle(workspace)?;
            let only = arguments.engine.as_slice();
            let engines = if only.is_empty() {
                Engine::value_variants()
            } else {
                only
            };
            let run = |&engine| elements::run(workspace, engine, &[package], rest);
            engines.iter().try_for_each(run)
        }
        step => bail!("the step `{step}` has no tests of a package: say `native` or `browser`"),
    }
}
