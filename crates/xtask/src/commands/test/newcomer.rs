//! The step `newcomer`: runs the README's first command as a new user does, until the shop has sold something.

mod demo;

use std::path::{Path, PathBuf};
use std::time::Instant;

use fs_err as fs;

use self::demo::Demo;
use super::{Run, minutes};
use crate::commands::demo::Addresses;
use crate::error::{Error, Result};
use crate::workspace::{self, Workspace};

/// Before the command in the README.
const HEADING: &str = "## Try it";

/// Whether nothing is built here yet, besides this program.
pub(super) fn is_new_clone(workspace: &Workspace) -> bool {
    !workspace.root().join("dist").exists() && !workspace.dev_binary("tender-proxy").exists()
}

/// Runs the demo here, if nothing is built, so that its output serves the next steps; else in a clone of HEAD.
pub(super) fn run(run: &mut Run) -> Result<()> {
    let clone = if is_new_clone(run.workspace) {
        None
    } else {
        Some(Clone::of(run.workspace)?)
    };
    let folder = (clone.as_ref()).map_or(run.workspace.root(), |clone| &clone.0);
    let readme = folder.join("README.md");
    let text = fs::read_to_string(&readme)?;
    let command = first_command(&text).ok_or(Error::NoCommand { heading: HEADING })?;
    for (start, tests) in [
        ("first", "newcomer::buys_and_looks_around"),
        ("second", "newcomer::buys"),
    ] {
        let started = Instant::now();
        let (mut demo, shop) = Demo::start(command, folder)?;
        println!(
            "\n    the {start} start took {}",
            minutes(started.elapsed())
        );
        run.end_to_end_on_request(tests, &shop)?;
        demo.interrupt()?;
        Addresses::default().check_free()?;
    }
    Ok(())
}

/// The first block of shell commands below the heading.
fn first_command(readme: &str) -> Option<&str> {
    let (_, section) = readme.split_once(HEADING)?;
    let (_, block) = section.split_once("```sh\n")?;
    let (command, _) = block.split_once("```")?;
    Some(command.trim())
}

/// A temporary clone.
struct Clone(PathBuf);

impl Clone {
    fn of(workspace: &Workspace) -> Result<Self> {
        let folder = workspace.target().join("newcomer");
        remove(&folder)?;
        let mut git = workspace.command("git");
        git.args(["clone", "--quiet", "."]).arg(&folder);
        workspace::run(&mut git)?;
        Ok(Self(folder))
    }
}

impl Drop for Clone {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.0) {
            eprintln!("{error}");
        }
    }
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_that_of_the_readme() {
        let readme = include_str!("../../../../../README.md");
        assert_eq!(first_command(readme), Some("cargo xtask demo"));
    }
}
