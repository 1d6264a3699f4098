//! Finds a tool: in the folder of its version, else on `PATH`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::tool::{Probe, Tool};
use crate::workspace::Workspace;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) version: String,
    pub(crate) path: PathBuf,
}

pub(crate) enum State {
    Ready(Found),
    Missing {
        /// The same tool in another version.
        other: Option<Found>,
    },
}

pub(super) fn state(workspace: &Workspace, cache: &Path, tool: &Tool) -> State {
    match &tool.probe {
        Probe::RustTarget(target) => rust_target(workspace, target),
        Probe::Library(folder) => library(cache, tool, folder),
        Probe::Succeeds(words) => succeeds(workspace, words),
        Probe::Program(names) => program(workspace, tool, &on_path(cache, tool, names)),
        Probe::Silent(names) => match on_path(cache, tool, names).into_iter().next() {
            Some(path) => State::Ready(Found {
                version: "found".to_owned(),
                path,
            }),
            None => State::Missing { other: None },
        },
    }
}

/// A library is only looked for in the folder of its version.
fn library(cache: &Path, tool: &Tool, folder: &str) -> State {
    let path = tool.home(cache).map(|home| home.join(folder));
    match (path.filter(|path| path.is_dir()), tool.version()) {
        (Some(path), Some(version)) => State::Ready(Found {
            version: version.to_owned(),
            path,
        }),
        _ => State::Missing { other: None },
    }
}

fn succeeds(workspace: &Workspace, words: &[&str]) -> State {
    let found = words.split_first().and_then(|(program, arguments)| {
        answer(workspace.command(program).args(arguments))?;
        Some(Found {
            version: "found".to_owned(),
            path: PathBuf::from(program),
        })
    });
    found.map_or(State::Missing { other: None }, State::Ready)
}

/// The first of these with the required version.
fn program(workspace: &Workspace, tool: &Tool, candidates: &[PathBuf]) -> State {
    let mut other = None;
    for path in candidates {
        let Some(version) = ask_version(workspace, path) else {
            continue;
        };
        let path = path.clone();
        let found = Found { version, path };
        // `wasm-opt` prints the first number of its version.
        let short = format!("{}.0.0", found.version);
        let is_wanted = |wanted: &str| wanted == found.version || wanted == short;
        if tool.version().is_none_or(is_wanted) {
            return State::Ready(found);
        }
        other.get_or_insert(found);
    }
    State::Missing { other }
}

/// In the folder of its version, then on `PATH`.
fn on_path(cache: &Path, tool: &Tool, names: &[&str]) -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = tool.programs(cache).into_iter();
    let folders: Vec<_> = own.chain(env::split_paths(&path)).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .filter(|program| program.is_file())
        .collect()
}

/// Runs `<program> --version`. A program that fails (such as rustup's proxy for a component that is not installed) counts
/// as missing.
fn ask_version(workspace: &Workspace, program: &Path) -> Option<String> {
    let output = answer(workspace.command(program).arg("--version"))?;
    version_in(&output).map(str::to_owned)
}

/// The first word that starts like a version: `v20.20.2`, `wasm-opt version 132 (version_132)`.
fn version_in(output: &str) -> Option<&str> {
    output
        .split_whitespace()
        .map(|word| word.strip_prefix('v').unwrap_or(word))
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
}

/// rustup and distributions alike put a target's library into this folder of the toolchain.
fn rust_target(workspace: &Workspace, target: &str) -> State {
    let mut rustc = workspace.command("rustc");
    let folder = answer(rustc.args(["--print", "target-libdir", "--target", target]))
        .map(|output| PathBuf::from(output.trim()))
        .filter(|folder| folder.is_dir());
    match (folder, answer(workspace.command("rustc").arg("--version"))) {
        (Some(path), Some(output)) => State::Ready(Found {
            version: version_in(&output).unwrap_or_default().to_owned(),
            path,
        }),
        _ => State::Missing { other: None },
    }
}

fn answer(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_version_in_what_each_tool_prints() {
        for (printed, version) in [
            ("trunk 0.21.14\n", "0.21.14"),
            ("wasm-bindgen-test-runner 0.2.129\n", "0.2.129"),
            ("wasm-opt version 132 (version_132)\n", "132"),
            ("anvil Version: 1.7.1\nCommit SHA: 4072e487\n", "1.7.1"),
            ("v20.20.2\n", "20.20.2"),
            ("11.19.1\n", "11.19.1"),
            (
                "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n",
                "15.18",
            ),
            (
                "rustfmt 1.9.0-stable (59807616e1 2026-04-14)\n",
                "1.9.0-stable",
            ),
            (
                "Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)\n",
                "156.0.8078.79",
            ),
        ] {
            assert_eq!(version_in(printed), Some(version));
        }
        assert_eq!(version_in("no such component\n"), None);
    }
}
