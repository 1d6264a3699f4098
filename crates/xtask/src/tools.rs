//! The tools that are not crates.
//!
//! They are installed into a folder of the user, with a subfolder per tool and version: several clones share them, and may
//! need different versions. A tool of the right version on `PATH` is used instead.
//!
//! - [`tool`]: what `tools.toml` says of a tool;
//! - [`targets`]: the targets of a release, and what they need;
//! - [`find`], [`install`]: finds and installs a tool.

mod find;
mod install;
pub(crate) mod targets;
mod tool;

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use self::find::{Found, find};
pub(crate) use self::tool::Tool;
use crate::error::{Error, Result};
use crate::step::Step;
use crate::workspace::Workspace;

/// A tool, and whether it is here.
pub(crate) struct Surveyed {
    pub(crate) tool: Tool,
    pub(crate) found: Option<Found>,
    /// The command that installs it, or what to do instead.
    pub(crate) how_to_get: String,
}

/// The state of every tool that a step needs.
pub(crate) fn survey(workspace: &Workspace) -> Result<Vec<Surveyed>> {
    let mut tools = tool::all(workspace)?;
    tools.retain(|tool| !tool.steps.is_empty());
    surveyed(workspace, tools)
}

/// How to get what is missing here, a machine of the target `host`, to build for this target. Nothing is installed.
pub(crate) fn missing_for(workspace: &Workspace, target: &str, host: &str) -> Result<Vec<String>> {
    let mut tools = surveyed(workspace, targets::needed(target, host))?;
    tools.retain(|tool| tool.found.is_none());
    Ok(tools.into_iter().map(|tool| tool.how_to_get).collect())
}

fn surveyed(workspace: &Workspace, tools: Vec<Tool>) -> Result<Vec<Surveyed>> {
    let cache = cache()?;
    let state = |tool: Tool| Surveyed {
        found: find(workspace, &cache, &tool),
        how_to_get: install::how_to_get(workspace, &cache, &tool),
        tool,
    };
    Ok(tools.into_iter().map(state).collect())
}

/// Finds the tools that the steps need, and installs those that are missing.
pub(crate) fn ensure(workspace: &Workspace, steps: &[Step]) -> Result<Toolbox> {
    ensure_with(workspace, steps, &[])
}

/// The same with the tools of these names, too.
pub(crate) fn ensure_with(
    workspace: &Workspace,
    steps: &[Step],
    names: &[&str],
) -> Result<Toolbox> {
    let mut tools = tool::all(workspace)?;
    tools.retain(|tool| tool.needed_by_any(steps) || names.contains(&&*tool.name));
    println!("==> Tools");
    let cache = cache()?;
    let mut ready = Vec::new();
    let mut missing = Vec::new();
    for tool in tools {
        match find(workspace, &cache, &tool) {
            Some(found) => {
                let (name, version) = (&tool.name, &found.version);
                println!("    {name:<24} {version} ({})", found.path.display());
                ready.push((tool, found));
            }
            None => missing.push(tool),
        }
    }
    if !missing.is_empty() {
        install::all(workspace, &cache, &missing)?;
    }
    for tool in missing {
        match find(workspace, &cache, &tool) {
            Some(found) => ready.push((tool, found)),
            None => return Err(Error::InstallHadNoEffect { tool: tool.name }),
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
    found: Vec<(Tool, Found)>,
    path: OsString,
}

impl Toolbox {
    fn new(cache: &Path, found: Vec<(Tool, Found)>) -> Result<Self> {
        let ours = found
            .iter()
            .filter_map(|(_, found)| found.path.parent())
            .filter(|folder| folder.starts_with(cache))
            .map(Path::to_owned);
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(ours.chain(env::split_paths(&inherited)))
            .map_err(std::io::Error::other)?;
        Ok(Self { found, path })
    }

    /// The `PATH` for child processes.
    pub(crate) fn path(&self) -> &OsStr {
        &self.path
    }

    /// The paths of the tools, in the environment variables by which the tests get them.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.found.iter().filter_map(|(tool, found)| {
            let variable = tool.variable.as_deref()?;
            Some((variable, found.path.as_path()))
        })
    }

    /// The path of a tool; its name if it was not asked for, to be found on `PATH`.
    pub(crate) fn program(&self, name: &str) -> OsString {
        self.found
            .iter()
            .find(|(tool, _)| tool.name == name)
            .map_or_else(|| name.into(), |(_, found)| found.path.clone().into())
    }
}
