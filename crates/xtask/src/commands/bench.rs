//! `cargo xtask bench`: builds the programs, installs the tools, and measures.

use std::ffi::OsString;

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

/// The arguments are passed on to the measuring program.
pub(crate) fn run(workspace: &Workspace, mut args: lexopt::Parser) -> Result<()> {
    let words: Vec<OsString> = args.raw_args()?.collect();
    match words.first().and_then(|word| word.to_str()) {
        Some("memory" | "following") => {
            let toolbox = tools::ensure(workspace, &[Step::Dist])?;
            measure(workspace, &toolbox, &words, || Ok(()))
        }
        Some("widget") => {
            let toolbox = tools::ensure_with(workspace, &[Step::Dist, Step::Browser], &TOOLS)?;
            install(workspace, &toolbox, WIDGET_PEERS)?;
            measure(workspace, &toolbox, &words, || bundle(workspace, &toolbox))
        }
        _ => {
            let toolbox = tools::ensure_with(workspace, &[Step::Dist], &TOOLS)?;
            install(workspace, &toolbox, PROXY_PEER)?;
            measure(workspace, &toolbox, &words, || Ok(()))
        }
    }
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

fn measure(
    workspace: &Workspace,
    toolbox: &Toolbox,
    words: &[OsString],
    prepare: impl FnOnce() -> Result<()>,
) -> Result<()> {
    dist::build(workspace, toolbox)?;
    run_command(workspace.command("cargo").args([
        "build",
        "--release",
        "--package",
        "tender-sandbox",
        "--package",
        "tender-bench",
    ]))?;
    prepare()?;
    run_command(
        workspace
            .command(workspace.release_binary("tender-bench"))
            .args(words)
            .env("PATH", toolbox.path())
            .env("CHROMIUM", toolbox.program("chromium")),
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
