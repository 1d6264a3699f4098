//! `cargo xtask dist`: the widget in `dist/`, and the release proxy with the widget inside.

use crate::error::Result;
use crate::step::Step;
use crate::tools::{self, TARGET, Toolbox};
use crate::workspace::{Workspace, run as run_command};

const PROXY: &str = "tender-proxy";

/// What the widget is compiled with: a standard library made for it, and panics that are traps and nothing else. What
/// a panic would have said is 9 KB that every buyer would download (docs/PERFORMANCE.md); that there was one is told by
/// the guard (crates/element/guard.js). The toolchain is pinned, and has these options for nightly builds only: hence
/// the first line.
///
/// The stack has a page of 64 KB in the place of a megabyte, which would be most of an element's memory. The checkout
/// was seen to use 7 KB of it from the listing to a cancelled payment, the merchant's element 11. It lies first in the
/// memory, so that what overflows it is a trap, and no other data.
const SMALL: [(&str, &str); 4] = [
    ("RUSTC_BOOTSTRAP", "1"),
    ("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort"),
    ("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size"),
    (
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
        concat!(
            "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none ",
            "-Clink-arg=-zstack-size=65536"
        ),
    ),
];

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let toolbox = tools::ensure(workspace, &[Step::Dist])?;
    build(workspace, &toolbox)?;
    println!(
        "\nThe widget is in dist/v1, and inside {}",
        workspace.release_binary(PROXY).display()
    );
    Ok(())
}

pub(crate) fn build(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    page(workspace, toolbox)?;
    println!("\n==> The proxy, with the widget inside");
    run_command(
        workspace
            .command("cargo")
            .args(["build", "--release", "--package", PROXY]),
    )
}

/// Builds the page and the widget into `dist/`. Trunk calls `bundle` for the last part.
pub(crate) fn page(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    println!("\n==> The page and the widget");
    // Trunk would fetch tools from GitHub; offline it takes those on PATH, so the crates come first.
    run_command(workspace.command("cargo").arg("fetch"))?;
    // Of the standard library's own, those for this target are fetched only where it is named.
    let target = ["fetch", "--target", TARGET];
    run_command(workspace.command("cargo").args(target).envs(SMALL))?;
    run_command(
        workspace
            .command(toolbox.program("trunk"))
            .args(["build", "--release", "--offline"])
            .envs(SMALL)
            .env("PATH", toolbox.path()),
    )
}
