//! Builds the programs that are released, without the paths of this machine.

use std::env;
use std::path::PathBuf;

use anyhow::Result;
use xshell::cmd;

use crate::tools::targets;
use crate::workspace::Workspace;

/// The target of the widget.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Cargo's name for this machine, such as `x86_64-unknown-linux-gnu`.
pub(crate) fn host(workspace: &Workspace) -> Result<String> {
    Ok(cmd!(workspace.sh, "rustc --print host-tuple").read()?)
}

/// Builds the programs of these packages in release mode.
pub(crate) fn programs(workspace: &Workspace, target: &str, packages: &[&str]) -> Result<()> {
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    let linker = targets::linker(target, &host(workspace)?);
    let variable = format!("CARGO_TARGET_{}_LINKER", in_variable(target));
    let build = cmd!(
        workspace.sh,
        "cargo build --release --target {target} {packages...}"
    );
    build
        .envs(variables(workspace, target))
        .envs(linker.map(|linker| (variable, linker)))
        .run()?;
    Ok(())
}

/// Where [`programs`] leaves a program.
pub(crate) fn program(workspace: &Workspace, target: &str, name: &str) -> PathBuf {
    workspace.target().join(target).join("release").join(name)
}

/// Environment variables for builds for this target: they replace the paths of this machine in messages of panics and in
/// assertions of C, and the time of the build in C (`__TIME__`).
pub(crate) fn variables(workspace: &Workspace, target: &str) -> [(String, String); 3] {
    // rustc takes the last one that matches: cargo's target folder may be in the workspace.
    let folders = [
        (Some(workspace.root().to_owned()), "/tender"),
        (cargo_home(), "/cargo"),
        (Some(workspace.target()), "/target"),
    ];
    let flags = |flag: &str| {
        let flags = folders.iter().filter_map(|(folder, name)| {
            let folder = folder.as_deref()?.to_str()?;
            // These variables are split at spaces.
            let fits = !folder.contains(char::is_whitespace);
            fits.then(|| format!("{flag}={folder}={name}"))
        });
        flags.collect::<Vec<_>>().join(" ")
    };
    [
        (
            format!("CARGO_TARGET_{}_RUSTFLAGS", in_variable(target)),
            flags("--remap-path-prefix"),
        ),
        (
            format!("CFLAGS_{}", target.replace('-', "_")),
            flags("-ffile-prefix-map"),
        ),
        // <https://reproducible-builds.org/specs/source-date-epoch/>. Not the commit's time: cargo would keep a library that
        // was compiled for an earlier commit.
        ("SOURCE_DATE_EPOCH".to_owned(), "0".to_owned()),
    ]
}

/// The target in the names of cargo's variables.
fn in_variable(target: &str) -> String {
    target.replace('-', "_").to_uppercase()
}

fn cargo_home() -> Option<PathBuf> {
    let set = env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| Some(env::home_dir()?.join(".cargo")))
}
