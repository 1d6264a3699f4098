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
use std::path::Path;

use anyhow::{Context as _, Result};

pub(crate) use self::find::find_all;
pub(crate) use self::install::how_to_get;
pub(crate) use self::tool::{Tool, all};
use crate::step::Step;
use crate::workspace::Workspace;

/// Finds the tools that the steps need, and installs those that are missing. Programs that the shell runs from then on find
/// them: on their `PATH`, and in the variables that `tools.toml` names.
pub(crate) fn ensure(workspace: &Workspace, steps: &[Step]) -> Result<()> {
    ensure_with(workspace, steps, &[])
}

/// The same with the tools of these names, too.
pub(crate) fn ensure_with(workspace: &Workspace, steps: &[Step], names: &[&str]) -> Result<()> {
    let mut tools = all(workspace)?;
    tools.retain(|tool| tool.needed_by_any(steps) || names.contains(&&*tool.name));
    println!("==> Tools");
    let mut ready = Vec::new();
    let mut missing = Vec::new();
    let found = find_all(&tools);
    for (tool, found) in tools.into_iter().zip(found) {
        match found {
            Some(found) => {
                let (name, version) = (&tool.name, &found.version);
                println!("    {name:<24} {version} ({})", found.path.display());
                ready.push((tool, found));
            }
            None => missing.push(tool),
        }
    }
    install::all(workspace, &missing)?;
    let found = find_all(&missing);
    for (tool, found) in missing.into_iter().zip(found) {
        let found = found.with_context(|| {
            format!(
                "{} was installed, but the required version is not found; see the output above",
                tool.name
            )
        })?;
        ready.push((tool, found));
    }
    for (tool, found) in &ready {
        if let Some(variable) = &tool.variable {
            workspace.sh.set_var(variable, &found.path);
        }
    }
    let ours = ready.iter().filter_map(|(tool, found)| {
        let is_ours = found.path.starts_with(tool.home.as_ref()?);
        found.path.parent().filter(|_| is_ours).map(Path::to_owned)
    });
    let inherited = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(ours.chain(env::split_paths(&inherited)))?;
    workspace.sh.set_var("PATH", path);
    Ok(())
}
