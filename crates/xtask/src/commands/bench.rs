//! `cargo xtask bench`: builds the programs, installs the tools, and measures.

use std::ffi::OsString;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use fs_err as fs;

use super::dist;
use crate::bundle::compress;
use crate::error::Result;
use crate::step::Step;
use crate::tools::{self, Toolbox};
use crate::workspace::{Workspace, run as run_command};

/// The load generator, what the proxy is compared with, and its second database.
const TOOLS: [&str; 3] = ["wrk", "nginx", "postgresql"];

/// The Node.js proxy that the proxy is compared with.
const PROXY_PEER: &str = "crates/bench/peer";

/// The checkouts that the widget is compared with.
const WIDGET_PEERS: &str = "crates/bench/widget";

#[derive(Args)]
pub(crate) struct Arguments {
    benchmark: Benchmark,
    /// Arguments of the benchmark; `-- --help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Benchmark {
    /// Compares the proxy with nginx and with a proxy on Node.js
    Proxy,
    /// Compares the widget with other checkouts
    Widget,
    /// Measures the proxy's memory in a burst of forms, beside another build
    Memory,
    /// Measures the proxy while buyers watch their payments: memory, delay, upstream requests
    Following,
}

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    let (steps, tools): (&[Step], &[&str]) = match arguments.benchmark {
        Benchmark::Memory | Benchmark::Following => (&[Step::Dist], &[]),
        Benchmark::Proxy => (&[Step::Dist], &TOOLS),
        Benchmark::Widget => (&[Step::Dist, Step::Browser], &TOOLS),
    };
    let toolbox = tools::ensure_with(workspace, steps, tools)?;
    match arguments.benchmark {
        Benchmark::Memory | Benchmark::Following => {}
        Benchmark::Proxy => install(workspace, &toolbox, PROXY_PEER)?,
        Benchmark::Widget => install(workspace, &toolbox, WIDGET_PEERS)?,
    }
    dist::build(workspace, &toolbox)?;
    let programs = ["--package", "tender-sandbox", "--package", "tender-bench"];
    let mut build = workspace.command("cargo");
    run_command(build.args(["build", "--release"]).args(programs))?;
    if let Benchmark::Widget = arguments.benchmark {
        bundle(workspace, &toolbox)?;
    }
    let name = arguments.benchmark.to_possible_value();
    run_command(
        workspace
            .command(workspace.release_binary("tender-bench"))
            .args(name.iter().map(PossibleValue::get_name))
            .args(&arguments.rest)
            .env("PATH", toolbox.path())
            .env("CHROMIUM", toolbox.program("chromium")),
    )
}

/// Installs the packages of a folder's lock file, unless they are installed: npm writes a lock file into `node_modules`
/// when it has finished.
fn install(workspace: &Workspace, toolbox: &Toolbox, folder: &str) -> Result<()> {
    let folder = workspace.root().join(folder);
    let written = |file: &str| fs::metadata(folder.join(file)).and_then(|file| file.modified());
    if let (Ok(installed), Ok(named)) = (
        written("node_modules/.package-lock.json"),
        written("package-lock.json"),
    ) && installed >= named
    {
        return Ok(());
    }
    run_command(
        workspace
            .command(toolbox.program("npm"))
            .current_dir(&folder)
            // None of these packages needs its install script.
            .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]),
    )
}

/// Bundles the other checkouts, and compresses them in the same way as the widget.
fn bundle(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    let site = workspace.bench_results().join("site");
    fs::create_dir_all(&site)?;
    run_command(
        workspace
            .command(toolbox.program("node"))
            .arg(format!("{WIDGET_PEERS}/build.mjs"))
            .arg(&site),
    )?;
    println!("    compressing {}", site.display());
    compress::folder(&site)
}
