//! A tool: how it is found, and how it is installed.

use std::env;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use xshell::cmd;

use crate::step::Step;
use crate::workspace::Workspace;

/// The files in which a folder lists the npm packages that it needs.
pub(super) const NPM_LISTS: [&str; 2] = ["package.json", "package-lock.json"];

/// The file in which a folder lists the packages of the Python Package Index that it needs.
pub(super) const REQUIREMENTS: &str = "requirements.txt";

/// A tool, as `tools.toml` explains it.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// The required version; `None` if any will do.
    pub(super) version: Option<String>,
    version_of: Option<String>,
    pub(crate) why: String,
    pub(crate) steps: Vec<Step>,
    pub(super) find: Find,
    pub(super) get: Get,
    pub(super) variable: Option<String>,
    /// The folder of this version, for tools that this program downloads.
    #[serde(skip)]
    pub(super) home: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Find {
    Program(Vec<String>),
    Silent(String),
    Folder(String),
    Check(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Get {
    Rustup(String),
    Crate(String),
    Npm(String),
    NpmLock(String),
    Pip(String),
    Requirements(String),
    Debian(String),
    ByHand(String),
}

/// All tools.
pub(crate) fn all(workspace: &Workspace) -> Result<Vec<Tool>> {
    #[derive(Deserialize)]
    struct Table {
        tool: Vec<Tool>,
    }
    let table: Table = toml::from_str(include_str!("../../tools.toml"))
        .context("crates/xtask/tools.toml can't be read")?;
    let cache = cache()?;
    let mut tools = table.tool;
    for tool in &mut tools {
        if let Some(version) = tool.version_elsewhere(workspace)? {
            tool.version = Some(version);
        }
        let version = tool.version.as_ref();
        tool.home = version.map(|version| cache.join(format!("{}-{version}", tool.name)));
    }
    Ok(tools)
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
        .context("there is no folder for tools: set HOME, or set TENDER_TOOLS to a folder")
}

impl Tool {
    /// `trunk 0.21.14`
    pub(crate) fn title(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }

    /// The version that other files of the repository say.
    fn version_elsewhere(&self, workspace: &Workspace) -> Result<Option<String>> {
        match (&self.get, &self.version_of) {
            (Get::NpmLock(folder), _) => hash(workspace, folder, &NPM_LISTS).map(Some),
            (Get::Requirements(folder), _) => hash(workspace, folder, &[REQUIREMENTS]).map(Some),
            (_, Some(name)) => {
                let id = cmd!(workspace.sh, "cargo pkgid {name}").read()?;
                let version = id.rsplit_once('@');
                Ok(version.map(|(_, version)| version.to_owned()))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn needed_by_any(&self, steps: &[Step]) -> bool {
        self.steps.iter().any(|step| steps.contains(step))
    }

    /// The folder of its programs.
    pub(super) fn programs(&self) -> Option<PathBuf> {
        let inside = if matches!(self.get, Get::Npm(_)) {
            "node_modules/.bin"
        } else {
            "bin"
        };
        Some(self.home.as_ref()?.join(inside))
    }
}

/// The version of the packages that a folder lists: a hash of the lists.
fn hash(workspace: &Workspace, folder: &str, files: &[&str]) -> Result<String> {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(workspace.sh.read_binary_file(format!("{folder}/{file}"))?);
    }
    let mut version = hex::encode(hash.finalize());
    version.truncate(12);
    Ok(version)
}
