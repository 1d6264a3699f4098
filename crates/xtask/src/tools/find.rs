//! Finds a tool: in the folder of its version, else on `PATH`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::tool::{Find, Tool};
use crate::workspace::Workspace;

pub(crate) struct Found {
    pub(crate) version: String,
    pub(crate) path: PathBuf,
}

/// What has no version in a readable form.
const UNKNOWN: &str = "found";

/// Finds a tool in the required version.
pub(super) fn find(workspace: &Workspace, cache: &Path, tool: &Tool) -> Option<Found> {
    let (version, path) = match &tool.find {
        Find::Program(names) => return program(workspace, tool, on_path(cache, tool, names)),
        Find::Silent(name) => {
            let paths = on_path(cache, tool, std::slice::from_ref(name));
            (UNKNOWN, paths.into_iter().next()?)
        }
        Find::Folder(folder) => {
            let path = tool.home(cache)?.join(folder);
            (tool.version.as_deref()?, path.is_dir().then_some(path)?)
        }
        Find::Check(script) => {
            answer(workspace.command("sh").args(["-c", script]))?;
            (UNKNOWN, PathBuf::from(&tool.name))
        }
    };
    let version = version.to_owned();
    Some(Found { version, path })
}

/// The first of these with the required version.
fn program(workspace: &Workspace, tool: &Tool, candidates: Vec<PathBuf>) -> Option<Found> {
    candidates.into_iter().find_map(|path| {
        let version = ask_version(workspace, &path)?;
        // `wasm-opt` prints the first number of its version.
        let short = format!("{version}.0.0");
        let required = tool.version.as_ref();
        let is_right = required.is_none_or(|required| [&version, &short].contains(&required));
        is_right.then_some(Found { version, path })
    })
}

/// In the folder of its version, then on `PATH`.
fn on_path(cache: &Path, tool: &Tool, names: &[String]) -> Vec<PathBuf> {
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
