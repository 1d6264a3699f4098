//! Installs tools, and prints what is installed, why, and how long that takes.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use nix::unistd::Uid;
use xshell::{Cmd, Shell, cmd};

use super::find::answer;
use super::tool::{Get, NPM_LISTS, REQUIREMENTS, Tool};
use crate::workspace::Workspace;

/// Optimising the tools would take longer than they run.
const QUICK_BUILD: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Words for `apt-get`.
const INSTALL: [&str; 3] = ["install", "--yes", "--no-install-recommends"];

/// Installs all of them. If one can't be installed automatically, prints how to get it and installs none.
pub(super) fn all(workspace: &Workspace, missing: &[Tool]) -> Result<()> {
    let sh = &workspace.sh;
    let mut is_complete = true;
    for tool in missing {
        if !is_possible(sh, tool) {
            println!("\n    missing: {} ({})", tool.title(), tool.why);
            println!("    {}", how_to_get(sh, tool));
            is_complete = false;
        }
    }
    ensure!(
        is_complete,
        "some tools can't be installed automatically: install the tools listed above, then run the command again"
    );
    let debian = missing.iter().filter_map(|tool| match &tool.get {
        Get::Debian(packages) => Some(packages.split_whitespace()),
        _ => None,
    });
    let debian: Vec<_> = debian.flatten().collect();
    if !debian.is_empty() {
        println!("\n==> Installing packages of Debian, for up to two minutes");
        apt_get(sh).arg("update").run()?;
        apt_get(sh).args(INSTALL).args(debian).run()?;
    }
    for tool in missing {
        let time = match tool.get {
            Get::Debian(_) => continue,
            Get::Crate(_) => "one or two minutes, once for this version",
            Get::NpmLock(_) => "up to a minute",
            _ => "some seconds",
        };
        println!("\n==> Installing {}: {}", tool.title(), tool.why);
        println!("    takes {time}");
        if let (Get::NpmLock(folder), Some(home)) = (&tool.get, &tool.home) {
            sh.create_dir(home)?;
            for file in NPM_LISTS {
                sh.copy_file(format!("{folder}/{file}"), home)?;
            }
        }
        if let Some(command) = command(sh, tool) {
            command.run()?;
        }
    }
    if let Some(folder) = missing.iter().find_map(build_folder) {
        sh.remove_path(folder)?;
    }
    println!();
    Ok(())
}

/// Where crates are built: what they share is compiled once, and what was compiled before an interruption is kept.
fn build_folder(tool: &Tool) -> Option<PathBuf> {
    let home = tool.home.as_ref()?;
    matches!(tool.get, Get::Crate(_)).then(|| home.with_file_name("build"))
}

/// Node.js and Python are tools themselves, which come before those that they install.
fn is_possible(sh: &Shell, tool: &Tool) -> bool {
    let succeeds = |script| answer(sh, script).is_some();
    match tool.get {
        Get::Rustup(_) => succeeds("rustup --version"),
        Get::Debian(_) => {
            succeeds("apt-get --version")
                && (Uid::effective().is_root() || succeeds("sudo -n true"))
        }
        Get::ByHand(_) => false,
        _ => true,
    }
}

/// The command that installs it, or what to do instead.
pub(crate) fn how_to_get(sh: &Shell, tool: &Tool) -> String {
    match (&tool.get, command(sh, tool)) {
        (Get::ByHand(advice), _) => advice.clone(),
        (_, command) => command.as_ref().map(Cmd::to_string).unwrap_or_default(),
    }
}

fn command<'a>(sh: &'a Shell, tool: &Tool) -> Option<Cmd<'a>> {
    let name = &tool.name;
    let home = tool.home.clone().unwrap_or_default();
    let version = tool.version.as_deref().unwrap_or_default();
    let npm = cmd!(sh, "npm install --no-fund --no-audit --prefix {home}");
    let pip = cmd!(sh, "python3 -m pip install --quiet --target");
    Some(match &tool.get {
        Get::Rustup(words) => cmd!(sh, "rustup").args(words.split_whitespace()),
        Get::Crate(flags) => cmd!(sh, "cargo install --locked {name} --version {version}")
            .arg("--root")
            .arg(home)
            .args(flags.split_whitespace())
            .envs(QUICK_BUILD)
            .envs(build_folder(tool).map(|folder| ("CARGO_TARGET_DIR", folder))),
        Get::Npm(package) => npm.arg(format!("{package}@{version}")),
        // The packages work without their install scripts.
        Get::NpmLock(_) => cmd!(sh, "npm ci --no-fund --no-audit --prefix {home}")
            .args(["--engine-strict", "--ignore-scripts"]),
        Get::Pip(package) => pip.arg(home).arg(format!("{package}=={version}")),
        Get::Requirements(folder) => pip
            .arg(home.join("site-packages"))
            .arg("--requirement")
            .arg(format!("{folder}/{REQUIREMENTS}")),
        Get::Debian(packages) => apt_get(sh).args(INSTALL).args(packages.split_whitespace()),
        Get::ByHand(_) => return None,
    })
}

fn apt_get(sh: &Shell) -> Cmd<'_> {
    let command = if Uid::effective().is_root() {
        cmd!(sh, "env")
    } else {
        cmd!(sh, "sudo -n env")
    };
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"])
}
