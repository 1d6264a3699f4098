//! `cargo xtask bench`: builds the programs, installs the tools, and measures.

use std::ffi::OsString;

use anyhow::Result;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use xshell::cmd;

use super::dist;
use crate::bundle::compress;
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

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
    let sh = &workspace.sh;
    match arguments.benchmark {
        Benchmark::Memory | Benchmark::Following => tools::ensure(workspace, &[Step::Dist])?,
        Benchmark::Proxy => {
            tools::ensure_with(workspace, &[Step::Dist], &TOOLS)?;
            install(workspace, PROXY_PEER)?;
        }
        Benchmark::Widget => {
            tools::ensure_with(workspace, &[Step::Dist, Step::Browser], &TOOLS)?;
            install(workspace, WIDGET_PEERS)?;
            let site = workspace.target().join("bench/site");
            cmd!(sh, "node {WIDGET_PEERS}/build.mjs {site}").run()?;
            println!("    compressing {}", site.display());
            // In the same way as the widget.
            compress::folder(sh, &site)?;
        }
    }
    dist::build(workspace)?;
    let programs = ["--package", "tender-sandbox", "--package", "tender-bench"];
    cmd!(sh, "cargo build --release {programs...}").run()?;
    let program = workspace.release_binary("tender-bench");
    let name = arguments.benchmark.to_possible_value();
    let name = name.iter().map(PossibleValue::get_name);
    cmd!(sh, "{program} {name...}")
        .args(&arguments.rest)
        .run()?;
    Ok(())
}

/// Installs the packages of a folder's lock file, which none of them needs to change. None needs its install script.
fn install(workspace: &Workspace, folder: &str) -> Result<()> {
    let _in_folder = workspace.sh.push_dir(folder);
    let flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    Ok(cmd!(workspace.sh, "npm install {flags...}").run()?)
}
