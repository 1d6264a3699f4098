//! The programs of this machine, and their tests. All commands select `tender-features`, so that a dependency is compiled once.

use anyhow::Result;
use xshell::{Cmd, cmd};

use crate::commands::{npm, release};
use crate::workspace::Workspace;

/// Packages whose tests run only in a page.
const OF_PAGES: [&str; 3] = [
    "tender-element",
    "tender-element-testing",
    "tender-payments",
];

/// Arguments that leave out these packages.
fn without(packages: &[&'static str]) -> impl Iterator<Item = &'static str> {
    packages.iter().flat_map(|package| ["--exclude", *package])
}

/// Builds everything that [`native`] and [`end_to_end`] run.
pub(super) fn build(workspace: &Workspace) -> Result<()> {
    let feature = "tender-e2e/browser";
    let without = without(&OF_PAGES);
    Ok(cmd!(
        workspace.sh,
        "cargo test --workspace {without...} --features {feature} --no-run"
    )
    .run()?)
}

/// Runs all tests but those that need a browser.
pub(super) fn native(workspace: &Workspace) -> Result<()> {
    let without = without(&OF_PAGES).chain(["--exclude", "tender-e2e"]);
    Ok(cmd!(
        workspace.sh,
        "cargo test --workspace {without...} --no-fail-fast"
    )
    .run()?)
}

/// Runs the tests of one package; `arguments` are for `cargo test`.
pub(super) fn of_package(workspace: &Workspace, package: &str, arguments: &[String]) -> Result<()> {
    let sh = &workspace.sh;
    let packages = ["--package", package, "--package", "tender-features"];
    Ok(cmd!(sh, "cargo test {packages...} {arguments...}").run()?)
}

/// Runs the end-to-end tests, with an archive of a release and the npm package.
pub(super) fn end_to_end(workspace: &Workspace) -> Result<()> {
    let npm = npm::pack(workspace)?;
    let release = release::of_tests(workspace, &npm)?;
    let command = end_to_end_tests(workspace).arg("--no-fail-fast");
    let command = command
        .env("TENDER_RELEASE", release)
        .env("TENDER_NPM", npm);
    Ok(command.run()?)
}

/// Runs end-to-end tests that need the running demo, whose shop is at this address.
pub(super) fn with_the_demo(workspace: &Workspace, name: &str, shop: &str) -> Result<()> {
    let command = end_to_end_tests(workspace).args(["--", "--ignored", "--exact", name]);
    Ok(command.env("TENDER_DEMO", shop).run()?)
}

pub(crate) fn end_to_end_tests(workspace: &Workspace) -> Cmd<'_> {
    let packages = ["--package", "tender-e2e", "--package", "tender-features"];
    cmd!(
        workspace.sh,
        "cargo test {packages...} --features tender-e2e/browser"
    )
}
