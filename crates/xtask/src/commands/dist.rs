//! `cargo xtask dist`: the widget in `dist/`, and the release proxy with the widget inside.

use anyhow::Result;
use xshell::{Cmd, cmd};

use crate::compile::{self, WASM};
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

const PROXY: &str = "tender-proxy";

/// The programs of a release. They are built together, so that a library is compiled once for all.
pub(crate) const PROGRAMS: [&str; 3] = [PROXY, "tender-sandbox", "tender-shop"];

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Step::Dist])?;
    build(workspace)?;
    println!(
        "\nThe widget is in dist/v1, and inside {}",
        workspace.release_binary(PROXY).display()
    );
    Ok(())
}

pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    page(workspace)?;
    println!("\n==> The proxy, with the widget inside, and the other programs of a release");
    let host = compile::host(workspace)?;
    compile::programs(workspace, &host, &PROGRAMS)?;
    let program = workspace.release_binary(PROXY);
    workspace.sh.create_dir(workspace.release_binary(""))?;
    // A running program can't be overwritten, but removed.
    workspace.sh.remove_path(&program)?;
    let built = compile::program(workspace, &host, PROXY);
    Ok(workspace.sh.copy_file(built, program)?)
}

/// Builds the sample page and the widget into `dist/`. Trunk runs `cargo xtask bundle` at the end.
pub(crate) fn page(workspace: &Workspace) -> Result<()> {
    let trunk = trunk(workspace)?.arg("--release");
    Ok(trunk.envs(compile::variables(workspace, WASM)).run()?)
}

/// The same without optimisation, in half of the time, and larger. The tests of the elements share what it compiles.
pub(crate) fn page_for_development(workspace: &Workspace) -> Result<()> {
    Ok(trunk(workspace)?.run()?)
}

fn trunk(workspace: &Workspace) -> Result<Cmd<'_>> {
    println!("\n==> The page and the widget");
    // Trunk would download its tools from GitHub; with --offline it uses those on PATH. So crates are downloaded first.
    cmd!(workspace.sh, "cargo fetch").run()?;
    Ok(cmd!(workspace.sh, "trunk build --offline"))
}
