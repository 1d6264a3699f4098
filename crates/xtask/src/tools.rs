//! The tools that are not crates: what each is for, which version, how it is found and installed.
//!
//! They go to a folder per user, one folder per tool and version, so that a fresh clone finds them again and
//! two clones may need different versions. A tool of the right version on `PATH` is used as it is.

mod find;
mod install;

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub(crate) use self::find::{Found, State};
use crate::error::{Error, Result};
use crate::lockfile;
use crate::step::Step::{self, Browser, Clippy, Deny, Dist, E2e, Fmt};
use crate::workspace::Workspace;

/// One line of the tool table.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) why: &'static str,
    /// The demo needs what [`Step::Dist`] needs.
    pub(crate) needed_by: &'static [Step],
    probe: Probe,
    source: Source,
}

/// How to see whether the tool is there.
enum Probe {
    /// Any of these programs, asked with `--version`.
    Program(&'static [&'static str]),
    /// The standard library for a target, in the toolchain of this workspace.
    RustTarget(&'static str),
}

/// Where the tool comes from. Only what we install ourselves has a version that we insist on.
enum Source {
    /// `rustup <these words>`
    Rustup(&'static [&'static str]),
    /// A crate with binaries, and how long it compiles.
    CratesIo {
        package: &'static str,
        version: String,
        takes: &'static str,
    },
    /// An npm package; `reports` is what its programs call this version.
    Npm {
        package: &'static str,
        version: &'static str,
        reports: &'static str,
    },
    /// A package of Debian and its relatives.
    Debian(&'static str),
    /// Nothing that this program should install: a sentence for the reader.
    ByHand(&'static str),
}

const TARGET: &str = "wasm32-unknown-unknown";
const NODE_BY_HAND: &str =
    "install Node.js 18 or newer with npm: https://nodejs.org, or `apt-get install nodejs npm`";

/// All tools, each after those that its installation needs.
fn table(workspace: &Workspace) -> Result<Vec<Tool>> {
    Ok(vec![
        Tool {
            name: "rustfmt",
            why: "keeps the code's form",
            needed_by: &[Fmt],
            probe: Probe::Program(&["rustfmt"]),
            source: Source::Rustup(&["component", "add", "rustfmt"]),
        },
        Tool {
            name: "clippy",
            why: "the linter",
            needed_by: &[Clippy],
            probe: Probe::Program(&["cargo-clippy"]),
            source: Source::Rustup(&["component", "add", "clippy"]),
        },
        Tool {
            name: TARGET,
            why: "the standard library for WebAssembly",
            needed_by: &[Clippy, Browser, Dist, E2e],
            probe: Probe::RustTarget(TARGET),
            source: Source::Rustup(&["target", "add", TARGET]),
        },
        Tool {
            name: "node",
            why: "runs wasm-opt",
            needed_by: &[Dist, E2e],
            probe: Probe::Program(&["node"]),
            source: Source::ByHand(NODE_BY_HAND),
        },
        Tool {
            name: "npm",
            why: "installs wasm-opt",
            needed_by: &[Dist, E2e],
            probe: Probe::Program(&["npm"]),
            source: Source::ByHand(NODE_BY_HAND),
        },
        Tool {
            name: "binaryen",
            why: "its wasm-opt shrinks the widget",
            needed_by: &[Dist, E2e],
            probe: Probe::Program(&["wasm-opt"]),
            source: Source::Npm {
                package: "binaryen",
                version: "132.0.0",
                reports: "132",
            },
        },
        Tool {
            name: "wasm-bindgen-cli",
            why: "writes the JavaScript glue, and runs the browser tests; must match the crate in Cargo.lock",
            needed_by: &[Browser, Dist, E2e],
            probe: Probe::Program(&["wasm-bindgen-test-runner"]),
            source: Source::CratesIo {
                package: "wasm-bindgen-cli",
                version: lockfile::version(workspace, "wasm-bindgen")?,
                takes: "about 2 minutes",
            },
        },
        Tool {
            name: "trunk",
            why: "builds the page and the widget",
            needed_by: &[Dist, E2e],
            probe: Probe::Program(&["trunk"]),
            source: Source::CratesIo {
                package: "trunk",
                version: "0.21.14".to_owned(),
                takes: "about 4 minutes",
            },
        },
        Tool {
            name: "cargo-deny",
            why: "checks the licences, sources and advisories of all dependencies",
            needed_by: &[Deny],
            probe: Probe::Program(&["cargo-deny"]),
            source: Source::CratesIo {
                package: "cargo-deny",
                version: "0.20.2".to_owned(),
                takes: "about 2 minutes",
            },
        },
        Tool {
            name: "chromium",
            why: "the browser that the tests drive",
            needed_by: &[Browser, E2e],
            probe: Probe::Program(&[
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable",
            ]),
            source: Source::Debian("chromium"),
        },
        Tool {
            name: "chromedriver",
            why: "lets the tests drive the browser; of the browser's own version",
            needed_by: &[Browser, E2e],
            probe: Probe::Program(&["chromedriver"]),
            source: Source::Debian("chromium-driver"),
        },
    ])
}

impl Tool {
    /// `trunk 0.21.14`
    pub(crate) fn title(&self) -> String {
        match self.version() {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.to_owned(),
        }
    }

    /// The version that it has to report; any will do for what the machine provides.
    fn version(&self) -> Option<&str> {
        match &self.source {
            Source::CratesIo { version, .. } => Some(version),
            Source::Npm { reports, .. } => Some(reports),
            Source::Rustup(_) | Source::Debian(_) | Source::ByHand(_) => None,
        }
    }

    /// What one would type to get it.
    pub(crate) fn how_to_get(&self) -> String {
        match &self.source {
            Source::Rustup(words) => format!("rustup {}", words.join(" ")),
            Source::CratesIo {
                package, version, ..
            } => {
                format!("cargo install --locked {package} --version {version}")
            }
            Source::Npm {
                package, version, ..
            } => {
                format!("npm install --global {package}@{version}")
            }
            Source::Debian(package) => format!("apt-get install {package}"),
            Source::ByHand(advice) => (*advice).to_owned(),
        }
    }

    fn needed_by_any(&self, steps: &[Step]) -> bool {
        self.needed_by.iter().any(|step| steps.contains(step))
    }

    /// The folder of this tool at this version, for those that we install ourselves.
    fn home(&self, cache: &Path) -> Option<PathBuf> {
        match &self.source {
            Source::CratesIo { version, .. } => Some(version.as_str()),
            Source::Npm { version, .. } => Some(*version),
            Source::Rustup(_) | Source::Debian(_) | Source::ByHand(_) => None,
        }
        .map(|version| cache.join(format!("{}-{version}", self.name)))
    }

    /// Where the programs lie inside its folder.
    fn programs(&self, cache: &Path) -> Option<PathBuf> {
        let inside = if matches!(self.source, Source::Npm { .. }) {
            "node_modules/.bin"
        } else {
            "bin"
        };
        Some(self.home(cache)?.join(inside))
    }
}

/// The state of every tool that one of the steps needs.
pub(crate) fn survey(workspace: &Workspace, steps: &[Step]) -> Result<Vec<(Tool, State)>> {
    let cache = cache()?;
    Ok(table(workspace)?
        .into_iter()
        .filter(|tool| tool.needed_by_any(steps))
        .map(|tool| {
            let state = find::state(workspace, &cache, &tool);
            (tool, state)
        })
        .collect())
}

/// Finds what the steps need, installs what is missing, and hands it over ready for use.
pub(crate) fn ensure(workspace: &Workspace, steps: &[Step]) -> Result<Toolbox> {
    println!("==> Tools");
    let cache = cache()?;
    let mut ready = Vec::new();
    let mut missing = Vec::new();
    for (tool, state) in survey(workspace, steps)? {
        match state {
            State::Ready(found) => {
                println!(
                    "    {:<24} {} ({})",
                    tool.name,
                    found.version,
                    found.path.display()
                );
                ready.push((tool.name, found));
            }
            State::Missing { .. } => missing.push(tool),
        }
    }
    install::all(workspace, &cache, &missing)?;
    for tool in missing {
        match find::state(workspace, &cache, &tool) {
            State::Ready(found) => ready.push((tool.name, found)),
            State::Missing { .. } => return Err(Error::InstallHadNoEffect { tool: tool.name }),
        }
    }
    Toolbox::new(&cache, ready)
}

/// `TENDER_TOOLS`, or `tender` in the user's cache folder.
fn cache() -> Result<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    set("TENDER_TOOLS")
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("tender")))
        .or_else(|| Some(set("HOME")?.join(".cache/tender")))
        .ok_or(Error::NoToolsFolder)
}

/// The tools that were found, with a `PATH` that leads to them first.
pub(crate) struct Toolbox {
    found: Vec<(&'static str, Found)>,
    path: OsString,
}

impl Toolbox {
    fn new(cache: &Path, found: Vec<(&'static str, Found)>) -> Result<Self> {
        let ours = found
            .iter()
            .filter_map(|(_, found)| found.path.parent())
            .filter(|folder| folder.starts_with(cache))
            .map(Path::to_owned);
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(ours.chain(env::split_paths(&inherited))).map_err(|source| {
            Error::File {
                action: "put on PATH",
                path: cache.to_owned(),
                source: std::io::Error::other(source),
            }
        })?;
        Ok(Self { found, path })
    }

    /// The `PATH` for child processes.
    pub(crate) fn path(&self) -> &OsStr {
        &self.path
    }

    /// Where a tool is; its name when the step at hand did not ask for it, so that `PATH` decides.
    pub(crate) fn program(&self, name: &str) -> OsString {
        self.found
            .iter()
            .find(|(tool, _)| *tool == name)
            .map_or_else(|| name.into(), |(_, found)| found.path.clone().into())
    }
}
