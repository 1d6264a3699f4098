//! The step `newcomer`: runs the README's first command as a new user does, until the shop has sold something.

mod demo;

use std::time::Instant;

use anyhow::{Context as _, Result};
use xshell::cmd;

use self::demo::Demo;
use super::programs;
use super::report::minutes;
use crate::commands::demo::Addresses;
use crate::workspace::Workspace;

/// Before the command in the README.
const HEADING: &str = "## Try it";

/// Whether nothing is built here yet, besides this program.
pub(super) fn is_new_clone(workspace: &Workspace) -> bool {
    !workspace.root().join("dist").exists() && !workspace.dev_binary("tender-proxy").exists()
}

/// Runs the demo here, if nothing is built, so that its output serves the next steps; else in a clone of HEAD.
pub(super) fn run(workspace: &Workspace) -> Result<()> {
    let sh = &workspace.sh;
    let clone = workspace.target().join("newcomer");
    sh.remove_path(&clone)?;
    let folder = if is_new_clone(workspace) {
        workspace.root()
    } else {
        cmd!(sh, "git clone --quiet . {clone}").run()?;
        &clone
    };
    let text = sh.read_file(folder.join("README.md"))?;
    let command = first_command(&text)
        .with_context(|| format!("README.md has no shell command below `{HEADING}`"))?;
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
        programs::with_the_demo(workspace, tests, &shop)?;
        demo.interrupt()?;
        Addresses::default().check_free()?;
    }
    Ok(sh.remove_path(clone)?)
}

/// The first block of shell commands below the heading.
fn first_command(readme: &str) -> Option<&str> {
    let (_, section) = readme.split_once(HEADING)?;
    let (_, block) = section.split_once("```sh\n")?;
    let (command, _) = block.split_once("```")?;
    Some(command.trim())
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
