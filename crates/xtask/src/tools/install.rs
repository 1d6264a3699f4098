//! Installs tools, and prints what is installed, why, and how long that takes.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::Uid;

use super::tool::{LIBRARY_FILES, REQUIREMENTS, Source, Tool};
use crate::error::{Error, Result};
use crate::workspace::{Workspace, run};

/// Optimising the tools would take longer than they run.
const QUICK_BUILD: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Installs all of them. If one can't be installed automatically, prints why and installs none.
pub(super) fn all(workspace: &Workspace, cache: &Path, missing: &[Tool]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let machine = Machine::inspect(workspace);
    let obstacles: Vec<_> = missing
        .iter()
        .filter_map(|tool| Some((tool, machine.obstacle(tool)?)))
        .collect();
    for (tool, obstacle) in &obstacles {
        println!("\n    missing: {} ({})", tool.title(), tool.why);
        println!("    {obstacle}");
    }
    if !obstacles.is_empty() {
        return Err(Error::CannotInstall);
    }
    let mut lists_are_fresh = false;
    for tool in missing {
        println!("\n==> Installing {}: {}", tool.title(), tool.why);
        if matches!(tool.source, Source::Debian(_)) && !lists_are_fresh {
            run(machine.as_root(workspace, "apt-get").arg("update"))?;
            lists_are_fresh = true;
        }
        install(workspace, &machine, cache, tool)?;
    }
    println!();
    Ok(())
}

fn install(workspace: &Workspace, machine: &Machine, cache: &Path, tool: &Tool) -> Result<()> {
    let home = tool.home(cache).unwrap_or_default();
    match &tool.source {
        Source::Rustup(kind, name) => {
            println!("    takes about half a minute");
            run(workspace.command("rustup").args([*kind, "add", *name]))
        }
        Source::CratesIo(version, flags) => {
            println!(
                "    takes about 2 minutes, once for this version; goes to {}",
                home.display()
            );
            run(workspace
                .command("cargo")
                .args(["install", "--locked", tool.name, "--version", version])
                .arg("--root")
                .arg(&home)
                .args(*flags)
                .envs(QUICK_BUILD))
        }
        Source::Npm(package, version) => {
            println!("    takes some seconds; goes to {}", home.display());
            fs_err::create_dir_all(&home)?;
            run(workspace
                .command("npm")
                .args(["install", "--no-fund", "--no-audit", "--prefix"])
                .arg(&home)
                .arg(format!("{package}@{version}")))
        }
        Source::NpmLock { folder, .. } => {
            println!("    takes up to a minute; goes to {}", home.display());
            fs_err::create_dir_all(&home)?;
            for file in LIBRARY_FILES {
                let path = workspace.root().join(folder).join(file);
                fs_err::copy(&path, home.join(file))?;
            }
            // `npm ci` would reject a lock file without the packages of other systems. The packages work without their
            // install scripts.
            let words = "install --engine-strict --ignore-scripts --no-fund --no-audit --prefix";
            run(workspace
                .command("npm")
                .args(words.split_whitespace())
                .arg(&home))
        }
        Source::Pip(package, version) => {
            println!("    takes some seconds; goes to {}", home.display());
            run(workspace
                .command("python3")
                .args(["-m", "pip", "install", "--quiet", "--target"])
                .arg(&home)
                .arg(format!("{package}=={version}")))
        }
        Source::PipList { folder, .. } => {
            println!("    takes some seconds; goes to {}", home.display());
            run(workspace
                .command("python3")
                .args(["-m", "pip", "install", "--quiet", "--target"])
                .arg(home.join("site-packages"))
                .arg("--requirement")
                .arg(workspace.root().join(folder).join(REQUIREMENTS)))
        }
        Source::Debian(packages) => {
            println!("    takes about a minute, including its dependencies");
            run(machine
                .as_root(workspace, "apt-get")
                .args(["install", "--yes", "--no-install-recommends"])
                .args(packages.split_whitespace()))
        }
        Source::ByHand(_) => Err(Error::CannotInstall),
    }
}

/// What can be installed on this machine.
struct Machine {
    rustup: bool,
    npm: bool,
    apt: bool,
    root: Root,
}

enum Root {
    Is,
    BySudo,
    No,
}

impl Machine {
    fn inspect(workspace: &Workspace) -> Self {
        let has_passwordless_sudo = || {
            workspace
                .command("sudo")
                .args(["-n", "true"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
        };
        Self {
            rustup: on_path("rustup"),
            npm: on_path("npm"),
            apt: on_path("apt-get"),
            root: if Uid::effective().is_root() {
                Root::Is
            } else if has_passwordless_sudo() {
                Root::BySudo
            } else {
                Root::No
            },
        }
    }

    /// Why a tool can't be installed automatically, and what to do instead.
    fn obstacle(&self, tool: &Tool) -> Option<String> {
        let get = tool.how_to_get();
        match (&tool.source, &self.root) {
            (Source::ByHand(advice), _) => Some((*advice).to_owned()),
            (Source::Rustup(..), _) if !self.rustup => Some(format!(
                "rustup is missing: install it from https://rustup.rs and run `{get}`, or install the \
                 tool with your distribution's Rust"
            )),
            (Source::Npm(..) | Source::NpmLock { .. }, _) if !self.npm => {
                Some(format!("npm is missing: install it, then run `{get}`"))
            }
            (Source::Debian(_), _) if !self.apt => Some(format!(
                "apt-get is missing: install {} with your system's package manager",
                tool.name
            )),
            (Source::Debian(_), Root::No) => Some(format!(
                "installing it needs root: `sudo apt-get update && sudo {get}`"
            )),
            _ => None,
        }
    }

    fn as_root(&self, workspace: &Workspace, program: &str) -> Command {
        let mut command = match self.root {
            Root::Is | Root::No => workspace.command(program),
            Root::BySudo => workspace.command("sudo"),
        };
        if matches!(self.root, Root::BySudo) {
            command.args(["-n", "env", "DEBIAN_FRONTEND=noninteractive", program]);
        } else {
            command.env("DEBIAN_FRONTEND", "noninteractive");
        }
        command
    }
}

fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
