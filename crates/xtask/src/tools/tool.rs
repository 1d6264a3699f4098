//! A tool: how it is found, and how it is installed.

use std::path::{Path, PathBuf};

use crate::step::Step;

/// The files in which a folder lists the npm packages that it needs.
pub(super) const LIBRARY_FILES: [&str; 2] = ["package.json", "package-lock.json"];

/// The file in which a folder lists the packages of the Python Package Index that it needs.
pub(super) const REQUIREMENTS: &str = "requirements.txt";

/// A tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) why: &'static str,
    /// The demo needs what [`Step::Dist`] needs.
    pub(crate) needed_by: &'static [Step],
    pub(super) probe: Probe,
    pub(super) source: Source,
}

/// How to find a tool.
pub(super) enum Probe {
    /// Any of these programs, asked with `--version`.
    Program(&'static [&'static str]),
    /// Any of these programs, which don't print their version in a readable form.
    Silent(&'static [&'static str]),
    /// The standard library for a target, in the workspace's toolchain.
    RustTarget(&'static str),
    /// A library of another language: this folder, below that of its version.
    Library(&'static str),
    /// This program on `PATH`, which succeeds with these arguments if its libraries are installed, too.
    Succeeds(&'static [&'static str]),
}

/// How to install a tool. Only tools that this program downloads have a required version.
pub(super) enum Source {
    /// A component or a target of Rust: `rustup <first> add <second>`.
    Rustup(&'static str, &'static str),
    /// A crate of the tool's name in this version, and further flags of `cargo install`.
    CratesIo(String, &'static [&'static str]),
    /// An npm package, and its version.
    Npm(&'static str, &'static str),
    /// The npm packages that a folder of the repository lists, in the versions of its lock file.
    NpmLock { folder: String, version: String },
    /// A package of the Python Package Index with its extras in brackets, and its version.
    Pip(&'static str, &'static str),
    /// The packages of the Python Package Index that a folder of the repository lists.
    PipList {
        folder: &'static str,
        version: String,
    },
    /// Packages of Debian and its relatives, separated by spaces.
    Debian(&'static str),
    /// Not installed by this program: what to do instead.
    ByHand(&'static str),
}

impl Tool {
    /// `trunk 0.21.14`
    pub(crate) fn title(&self) -> String {
        match self.version() {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.to_owned(),
        }
    }

    /// The required version; `None` if any will do.
    pub(super) fn version(&self) -> Option<&str> {
        match &self.source {
            Source::CratesIo(version, _)
            | Source::NpmLock { version, .. }
            | Source::PipList { version, .. } => Some(version),
            Source::Npm(_, version) | Source::Pip(_, version) => Some(version),
            Source::Rustup(..) | Source::Debian(_) | Source::ByHand(_) => None,
        }
    }

    /// The command that installs it.
    pub(crate) fn how_to_get(&self) -> String {
        match &self.source {
            Source::Rustup(kind, name) => format!("rustup {kind} add {name}"),
            Source::CratesIo(version, flags) => {
                let words = ["cargo install --locked", self.name, "--version", version];
                [&words, *flags].concat().join(" ")
            }
            Source::Npm(package, version) => {
                format!("npm install --global {package}@{version}")
            }
            Source::NpmLock { folder, .. } => format!("npm install --prefix {folder}"),
            Source::Pip(package, version) => {
                format!("python3 -m pip install '{package}=={version}'")
            }
            Source::PipList { folder, .. } => {
                format!("python3 -m pip install --requirement {folder}/{REQUIREMENTS}")
            }
            Source::Debian(package) => format!("apt-get install {package}"),
            Source::ByHand(advice) => (*advice).to_owned(),
        }
    }

    pub(super) fn needed_by_any(&self, steps: &[Step]) -> bool {
        self.needed_by.iter().any(|step| steps.contains(step))
    }

    /// The folder of this version, for tools that this program downloads.
    pub(super) fn home(&self, cache: &Path) -> Option<PathBuf> {
        let version = self.version()?;
        Some(cache.join(format!("{}-{version}", self.name)))
    }

    /// The folder of its programs.
    pub(super) fn programs(&self, cache: &Path) -> Option<PathBuf> {
        let inside = if matches!(self.source, Source::Npm(..)) {
            "node_modules/.bin"
        } else {
            "bin"
        };
        Some(self.home(cache)?.join(inside))
    }
}
