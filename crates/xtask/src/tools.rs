//! The tools that are not crates.
//!
//! They are installed into a folder of the user, with a subfolder per tool and version: several clones share them, and may
//! need different versions. A tool of the right version on `PATH` is used instead.
//!
//! - [`tool`]: what is known of a tool;
//! - [`table`], [`libraries`], [`examples`], [`shops`]: the tools, their versions, and what needs them;
//! - [`targets`]: the targets of a release, and what they need;
//! - [`find`], [`install`]: finds and installs a tool.

mod examples;
mod find;
mod install;
mod libraries;
mod shops;
mod table;
pub(crate) mod targets;
mod tool;

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub(crate) use self::examples::EXAMPLES;
pub(crate) use self::find::{Found, State};
pub(crate) use self::libraries::{ACCESSIBILITY, CYCLONEDX, LIBRARIES, REACT_18};
pub(crate) use self::shops::SHOPS;
pub(crate) use self::tool::Tool;
use crate::error::{Error, Result};
use crate::step::Step;
use crate::workspace::Workspace;

/// The state of every tool that one of the steps needs.
pub(crate) fn survey(workspace: &Workspace, steps: &[Step]) -> Result<Vec<(Tool, State)>> {
    let cache = cache()?;
    Ok(needed(workspace, steps)?
        .into_iter()
        .map(|tool| {
            let state = find::state(workspace, &cache, &tool);
            (tool, state)
        })
        .collect())
}

fn needed(workspace: &Workspace, steps: &[Step]) -> Result<Vec<Tool>> {
    let mut tools = table::tools(workspace)?;
    tools.retain(|tool| tool.needed_by_any(steps));
    Ok(tools)
}

/// What is missing here, a machine of the target `host`, to build for this target. Nothing is installed.
pub(crate) fn missing_for(workspace: &Workspace, target: &str, host: &str) -> Result<Vec<Tool>> {
    let cache = cache()?;
    let mut tools = targets::needed(target, host);
    tools.retain(|tool| {
        let state = find::state(workspace, &cache, tool);
        matches!(state, State::Missing { .. })
    });
    Ok(tools)
}

/// Finds the tools that the steps need, and installs those that are missing.
pub(crate) fn ensure(workspace: &Workspace, steps: &[Step]) -> Result<Toolbox> {
    provide(workspace, needed(workspace, steps)?)
}

/// The same for measurements, which need more tools.
pub(crate) fn ensure_for_bench(workspace: &Workspace, steps: &[Step]) -> Result<Toolbox> {
    let mut tools = needed(workspace, steps)?;
    tools.extend(table::bench());
    provide(workspace, tools)
}

/// The same for the documentation site, which needs one tool.
pub(crate) fn ensure_for_docs(workspace: &Workspace) -> Result<Toolbox> {
    provide(workspace, vec![table::mdbook()])
}

fn provide(workspace: &Workspace, tools: Vec<Tool>) -> Result<Toolbox> {
    println!("==> Tools");
    let cache = cache()?;
    let mut ready = Vec::new();
    let mut missing = Vec::new();
    for tool in tools {
        match find::state(workspace, &cache, &tool) {
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

    /// The folders that contain these libraries, separated as in `PATH`; `None` unless all were asked for.
    pub(crate) fn libraries(&self, names: &[&str]) -> Option<OsString> {
        let folder = |name: &&str| {
            let (_, found) = self.found.iter().find(|(tool, _)| tool == name)?;
            found.path.parent()
        };
        let folders: Option<Vec<_>> = names.iter().map(folder).collect();
        env::join_paths(folders?).ok()
    }

    /// The path of a tool; its name if it was not asked for, to be found on `PATH`.
    pub(crate) fn program(&self, name: &str) -> OsString {
        self.found
            .iter()
            .find(|(tool, _)| *tool == name)
            .map_or_else(|| name.into(), |(_, found)| found.path.clone().into())
    }
}
