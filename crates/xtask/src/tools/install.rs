//! Installs tools, and prints what is installed, why, and how long that takes.

use std::path::Path;
use std::process::{Command, Stdio};

use fs_err as fs;
use nix::unistd::Uid;

use super::tool::{Get, NPM_LISTS, REQUIREMENTS, Tool};
use crate::error::{Error, Result};
use crate::workspace::{Workspace, line, run};

/// Optimising the tools would take longer than they run.
const QUICK_BUILD: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Installs all of them. If one can't be installed automatically, prints how to get it and installs none.
pub(super) fn all(workspace: &Workspace, cache: &Path, missing: &[Tool]) -> Result<()> {
    let mut is_complete = true;
    for tool in missing {
        if !is_possible(workspace, tool) {
            println!("\n    missing: {} ({})", tool.title(), tool.why);
            println!("    {}", how_to_get(workspace, cache, tool));
            is_complete = false;
        }
    }
    if !is_complete {
        return Err(Error::CannotInstall);
    }
    let mut lists_are_fresh = false;
    for tool in missing {
        let time = match tool.get {
            Get::Crate(_) => "about 2 minutes, once for this version",
            Get::NpmLock(_) | Get::Debian(_) => "up to a minute",
            _ => "some seconds",
        };
        println!("\n==> Installing {}: {}", tool.title(), tool.why);
        println!("    takes {time}");
        if matches!(tool.get, Get::Debian(_)) && !lists_are_fresh {
            run(apt_get(workspace).arg("update"))?;
            lists_are_fresh = true;
        }
        if let (Get::NpmLock(folder), Some(home)) = (&tool.get, tool.home(cache)) {
            fs::create_dir_all(&home)?;
            for file in NPM_LISTS {
                fs::copy(workspace.root().join(folder).join(file), home.join(file))?;
            }
        }
        if let Some(mut command) = command(workspace, cache, tool) {
            run(&mut command)?;
        }
    }
    println!();
    Ok(())
}

/// Node.js and Python are tools themselves, which come before those that they install.
fn is_possible(workspace: &Workspace, tool: &Tool) -> bool {
    let succeeds = |program, argument: &[&str]| {
        let mut command = workspace.command(program);
        command.args(argument).stdout(Stdio::null());
        let status = command.stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    match tool.get {
        Get::Rustup(_) => succeeds("rustup", &["--version"]),
        Get::Debian(_) => {
            succeeds("apt-get", &["--version"])
                && (Uid::effective().is_root() || succeeds("sudo", &["-n", "true"]))
        }
        Get::ByHand(_) => false,
        _ => true,
    }
}

/// The command that installs it, or what to do instead.
pub(super) fn how_to_get(workspace: &Workspace, cache: &Path, tool: &Tool) -> String {
    match (&tool.get, command(workspace, cache, tool)) {
        (Get::ByHand(advice), _) => advice.clone(),
        (_, command) => command.as_ref().map(line).unwrap_or_default(),
    }
}

fn command(workspace: &Workspace, cache: &Path, tool: &Tool) -> Option<Command> {
    let home = tool.home(cache).unwrap_or_default();
    let version = tool.version.as_deref().unwrap_or_default();
    let npm = || {
        let mut npm = workspace.command("npm");
        npm.args(["install", "--no-fund", "--no-audit", "--prefix"]);
        npm.arg(&home);
        npm
    };
    let pip = || {
        let mut python = workspace.command("python3");
        python.args(["-m", "pip", "install", "--quiet", "--target"]);
        python
    };
    let mut command;
    match &tool.get {
        Get::Rustup(words) => {
            command = workspace.command("rustup");
            command.args(words.split_whitespace());
        }
        Get::Crate(flags) => {
            command = workspace.command("cargo");
            command
                .args(["install", "--locked", &tool.name, "--version", version])
                .arg("--root")
                .arg(&home)
                .args(flags.split_whitespace())
                .envs(QUICK_BUILD);
        }
        Get::Npm(package) => {
            command = npm();
            command.arg(format!("{package}@{version}"));
        }
        // `npm ci` would reject a lock file without the packages of other systems. The packages work without their install
        // scripts.
        Get::NpmLock(_) => {
            command = npm();
            command.args(["--engine-strict", "--ignore-scripts"]);
        }
        Get::Pip(package) => {
            command = pip();
            command.arg(&home).arg(format!("{package}=={version}"));
        }
        Get::Requirements(folder) => {
            command = pip();
            command
                .arg(home.join("site-packages"))
                .arg("--requirement")
                .arg(workspace.root().join(folder).join(REQUIREMENTS));
        }
        Get::Debian(packages) => {
            command = apt_get(workspace);
            command
                .args(["install", "--yes", "--no-install-recommends"])
                .args(packages.split_whitespace());
        }
        Get::ByHand(_) => return None,
    }
    Some(command)
}

fn apt_get(workspace: &Workspace) -> Command {
    let mut command = if Uid::effective().is_root() {
        workspace.command("env")
    } else {
        let mut sudo = workspace.command("sudo");
        sudo.args(["-n", "env"]);
        sudo
    };
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    command
}
