//! Builds the programs that are released, without the paths of this machine.

use std::collections::BTreeSet;
use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::error::Result;
use crate::tools::targets;
use crate::workspace::{self, Workspace};

/// The target of the widget.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// The ids of packages, as `cargo metadata` has them.
pub(crate) type PackageIds = BTreeSet<String>;

/// Cargo's name for this machine, such as `x86_64-unknown-linux-gnu`.
pub(crate) fn host(workspace: &Workspace) -> Result<String> {
    let mut command = workspace.command("rustc");
    workspace::output(command.args(["--print", "host-tuple"])).map(|name| name.trim().to_owned())
}

/// Builds the programs of these packages in release mode. Returns the packages that are compiled into them.
pub(crate) fn programs(
    workspace: &Workspace,
    target: &str,
    packages: &[&str],
) -> Result<PackageIds> {
    let mut words = vec!["--release"];
    words.extend(packages.iter().flat_map(|package| ["--package", package]));
    build(workspace, target, &words)
}

/// Where [`programs`] leaves a program.
pub(crate) fn program(workspace: &Workspace, target: &str, name: &str) -> PathBuf {
    workspace.target().join(target).join("release").join(name)
}

/// Runs `cargo build` with these words for the target. Returns the packages that are compiled for it, which excludes build
/// scripts and macros.
pub(crate) fn build(workspace: &Workspace, target: &str, words: &[&str]) -> Result<PackageIds> {
    let mut command = workspace.command("cargo");
    command
        .args(["build", "--target", target])
        .args(words)
        .arg("--message-format=json-render-diagnostics")
        .envs(variables(workspace, target))
        .stdout(Stdio::piped());
    if let Some(linker) = targets::linker(target, &host(workspace)?) {
        command.env(
            format!("CARGO_TARGET_{}_LINKER", in_variable(target)),
            linker,
        );
    }
    workspace::announce(&command);
    let mut cargo = workspace::start(&mut command)?;
    let folder = workspace.target().join(target);
    let mut packages = PackageIds::new();
    if let Some(output) = cargo.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line?;
            packages.extend(compiled_into(&folder, &line));
        }
    }
    workspace::finish(&command, cargo)?;
    Ok(packages)
}

/// One of cargo's messages: <https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages>.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact {
        package_id: String,
        filenames: Vec<PathBuf>,
    },
    #[serde(other)]
    Other,
}

/// The package that this message is about, if its files are in this folder. A program may print other lines.
fn compiled_into(folder: &Path, line: &str) -> Option<String> {
    match serde_json::from_str(line) {
        Ok(Message::CompilerArtifact {
            package_id,
            filenames,
        }) if filenames.iter().any(|file| file.starts_with(folder)) => Some(package_id),
        _ => None,
    }
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

/// `cargo metadata`, of the versions in the lock file.
pub(crate) fn metadata(workspace: &Workspace) -> Command {
    let mut command = workspace.command("cargo");
    command.args(["metadata", "--format-version", "1", "--locked"]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_inside_if_its_files_are_of_the_target() {
        let message = |file: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"registry+x#serde@1.0.0","filenames":["{file}"],"fresh":true}}"#
            )
        };
        let folder = Path::new("/target/wasm32-unknown-unknown");
        let of = |line: &str| compiled_into(folder, line);
        assert_eq!(
            of(&message(
                "/target/wasm32-unknown-unknown/release/deps/libserde.rlib"
            )),
            Some("registry+x#serde@1.0.0".to_owned())
        );
        for line in [
            &message("/target/release/deps/libserde_derive.so"),
            r#"{"reason":"build-script-executed","package_id":"registry+x#serde@1.0.0"}"#,
            "not of cargo",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
