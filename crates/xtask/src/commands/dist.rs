//! `cargo xtask dist`: the widget in `dist/`, and the release proxy with the widget inside.

use fs_err as fs;

use crate::compile::{self, WASM};
use crate::error::Result;
use crate::step::Step;
use crate::tools::{self, Toolbox};
use crate::workspace::{Workspace, run as run_command};

const PROXY: &str = "tender-proxy";

/// The programs of a release. They are built together, so that a library is compiled once for all.
pub(crate) const PROGRAMS: [&str; 3] = [PROXY, "tender-sandbox", "tender-shop"];

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let toolbox = tools::ensure(workspace, &[Step::Dist])?;
    build(workspace, &toolbox)?;
    println!(
        "\nThe widget is in dist/v1, and inside {}",
        workspace.release_binary(PROXY).display()
    );
    Ok(())
}

pub(crate) fn build(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    page(workspace, toolbox)?;
    println!("\n==> The proxy, with the widget inside, and the other programs of a release");
    let host = compile::host(workspace)?;
    compile::programs(workspace, &host, &PROGRAMS)?;
    let program = workspace.release_binary(PROXY);
    let folder = program.parent().unwrap_or(&program);
    fs::create_dir_all(folder)?;
    // A running program can't be overwritten, but removed.
    if program.exists() {
        fs::remove_file(&program)?;
    }
    fs::copy(compile::program(workspace, &host, PROXY), &program)?;
    Ok(())
}

/// Builds the sample page and the widget into `dist/`. Trunk runs `cargo xtask bundle` at the end.
pub(crate) fn page(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    println!("\n==> The page and the widget");
    // Trunk would download its tools from GitHub; with --offline it uses those on PATH. So crates are downloaded first.
    run_command(workspace.command("cargo").arg("fetch"))?;
    run_command(
        workspace
            .command(toolbox.program("trunk"))
            .args(["build", "--release", "--offline"])
            .env("PATH", toolbox.path())
            .envs(compile::variables(workspace, WASM)),
    )
}
