//! Set-up and automation. `cargo xtask` lists the commands.
//!
//! - [`commands`]: one file per command;
//! - [`tools`]: the tools that are not crates: their versions, how they are found and installed;
//! - [`bundle`]: turns trunk's output into the files that a proxy serves under `/v1/`;
//! - [`compile`]: builds of programs, without the paths of this machine;
//! - [`step`]: the steps of a test run;
//! - [`workspace`]: the repository's folders, and a shell.

mod bundle;
mod commands;
mod compile;
mod step;
mod tools;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use crate::commands::{
    bench, demo, dist, docs, doctor, fuzz, gallery, loaders, npm, release, setup, size, test,
};
use crate::step::Step;
use crate::workspace::Workspace;

/// Set-up and automation of Tender.
///
/// Each command first installs the tools that it needs, into ~/.cache/tender or the folder in `TENDER_TOOLS`.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Builds and starts a shop, the proxy and a sandbox.
    Demo(demo::Addresses),
    /// Runs all tests, or these steps, or the tests of one package.
    Test(test::Arguments),
    /// Runs the fuzz and property tests with other inputs, for this long.
    Fuzz {
        #[arg(default_value_t = 600)]
        seconds: u64,
    },
    /// Plays random scripts with the whole proxy in a simulation, for this long.
    Simulate {
        #[arg(default_value_t = 600)]
        seconds: u64,
    },
    /// Builds the widget into dist/, and the release proxy with the widget inside.
    Dist,
    /// Makes the documentation site, in target/book.
    Docs,
    /// Assembles and packs the npm package, into target/npm.
    Npm,
    /// Makes the archives of a release, with checksums and a bill of materials, in target/artifacts.
    Release,
    /// Takes screenshots of every state of both elements, into target/gallery.
    Gallery {
        /// Takes only those with all of these words in their names, such as `cancel dark ar`.
        words: Vec<String>,
    },
    /// Compares the size of each file that a buyer downloads with size-budget.txt.
    Size,
    /// Builds the programs to measure, and runs a benchmark.
    Bench(bench::Arguments),
    /// Installs the tools of all steps, or of these.
    Setup { steps: Vec<Step> },
    /// Lists the tools, and what needs them.
    Doctor,
    /// Bundles the loaders that the browser tests include; `test` does this, too.
    Loaders,
    /// Trunk's post-build hook; not for use by hand.
    Bundle,
    /// A task of `test`, in a process of its own.
    #[command(hide = true)]
    Task { task: test::Task },
    /// Runs tests in `WebKitGTK`, for cargo.
    #[command(hide = true)]
    Webkit {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

/// Without backtraces: each message says what to do next.
fn main() -> ExitCode {
    match run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let workspace = Workspace::locate()?;
    match command {
        Command::Demo(addresses) => demo::run(&workspace, &addresses),
        Command::Test(arguments) => test::run(&workspace, &arguments),
        Command::Fuzz { seconds } => fuzz::run(&workspace, seconds, &fuzz::TESTS),
        Command::Simulate { seconds } => fuzz::run(&workspace, seconds, &fuzz::SIMULATION),
        Command::Dist => dist::run(&workspace),
        Command::Docs => docs::run(&workspace),
        Command::Npm => npm::run(&workspace),
        Command::Release => release::run(&workspace),
        Command::Gallery { words } => gallery::run(&workspace, &words),
        Command::Size => size::run(&workspace),
        Command::Bench(arguments) => bench::run(&workspace, &arguments),
        Command::Setup { steps } => setup::run(&workspace, &steps),
        Command::Doctor => doctor::run(&workspace),
        Command::Loaders => loaders::run(&workspace),
        Command::Bundle => bundle::run(&workspace),
        Command::Task { task } => task.run(&workspace),
        Command::Webkit { arguments } => test::start::run(&arguments),
    }
}
