//! Finds a tool: in the folder of its version, else on `PATH`.

use std::path::{Path, PathBuf};
use std::{env, thread};

use xshell::{Shell, cmd};

use super::tool::{Find, Tool};

pub(crate) struct Found {
    pub(crate) version: String,
    pub(crate) path: PathBuf,
}

/// What has no version in a readable form.
const UNKNOWN: &str = "found";

/// Finds each tool in the required version. All at the same time, because most programs take long to say their version.
pub(crate) fn find_all(tools: &[Tool]) -> Vec<Option<Found>> {
    thread::scope(|scope| {
        let searches: Vec<_> = tools
            .iter()
            .map(|tool| scope.spawn(|| find(tool)))
            .collect();
        let found = searches
            .into_iter()
            .map(|search| search.join().ok().flatten());
        found.collect()
    })
}

fn find(tool: &Tool) -> Option<Found> {
    // A shell belongs to one thread.
    let sh = &Shell::new().ok()?;
    let (version, path) = match &tool.find {
        Find::Program(names) => return names.iter().find_map(|name| program(sh, tool, name)),
        Find::Silent(name) => (UNKNOWN, on_path(tool, name)?),
        Find::Folder(folder) => {
            let path = tool.home.as_ref()?.join(folder);
            (tool.version.as_deref()?, path.is_dir().then_some(path)?)
        }
        Find::Check(script) => {
            answer(sh, script)?;
            (UNKNOWN, PathBuf::from(&tool.name))
        }
    };
    let version = version.to_owned();
    Some(Found { version, path })
}

/// The program of this name, if it has the required version.
fn program(sh: &Shell, tool: &Tool, name: &str) -> Option<Found> {
    let path = on_path(tool, name)?;
    let version = ask_version(sh, &path)?;
    // `wasm-opt` prints the first number of its version.
    let short = format!("{version}.0.0");
    let required = tool.version.as_ref();
    let is_right = required.is_none_or(|required| [&version, &short].contains(&required));
    is_right.then_some(Found { version, path })
}

/// In the folder of its version, else the first on `PATH`, which other programs run.
fn on_path(tool: &Tool, name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = tool.programs().into_iter();
    own.chain(env::split_paths(&path))
        .map(|folder| folder.join(name))
        .find(|program| program.is_file())
}

/// Runs `<program> --version`. A program that fails (such as rustup's proxy for a component that is not installed) counts
/// as missing.
fn ask_version(sh: &Shell, program: &Path) -> Option<String> {
    let output = cmd!(sh, "{program} --version")
        .ignore_stderr()
        .read()
        .ok()?;
    version_in(&output).map(str::to_owned)
}

/// The first word that starts like a version: `v20.20.2`, `wasm-opt version 132 (version_132)`.
fn version_in(output: &str) -> Option<&str> {
    output
        .split_whitespace()
        .map(|word| word.strip_prefix('v').unwrap_or(word))
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
}

/// What this script prints, if it succeeds.
pub(super) fn answer(sh: &Shell, script: &str) -> Option<String> {
    cmd!(sh, "sh -c {script}").ignore_stderr().read().ok()
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
