//! `cargo xtask loaders`: bundles the scripts that the browser tests include: the loaders, and what computes accessible
//! roles and names.
//!
//! The loaders are the same as the served ones, except for the build values, which a test sets as the global `tenderBuild`.

use crate::bundle::artifact::ARTIFACTS;
use crate::bundle::scripts::{Kind, Scripts};
use crate::error::Result;
use crate::step::Step;
use crate::tools::{self, Toolbox};
use crate::workspace::Workspace;

/// Where `tests/support/subject.rs` of each element looks for its loader, and `crates/element-testing` for the library.
const FOLDER: &str = "target/loaders";

/// What the loaders import as `tender-build`.
const BUILD: &str = "crates/element-testing/src/build.js";

/// The source of the global `accessibility`, and the library that it imports.
const ACCESSIBILITY: &str = "crates/element-testing/src/accessibility.js";
const ACCESSIBILITY_LIBRARY: &str = "dom-accessibility-api";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    bundle(workspace, &tools::ensure(workspace, &[Step::Clippy])?)
}

pub(crate) fn bundle(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    let scripts = Scripts::new(workspace, toolbox);
    let root = workspace.root();
    let folder = root.join(FOLDER);
    for artifact in &ARTIFACTS {
        let to = folder.join(artifact.loader);
        scripts.loader(artifact, Kind::Plain, &root.join(BUILD), &to)?;
    }
    let library = toolbox.program(ACCESSIBILITY_LIBRARY);
    scripts.global(
        "accessibility",
        &root.join(ACCESSIBILITY),
        (ACCESSIBILITY_LIBRARY, library.as_ref()),
        &folder.join("accessibility.js"),
    )
}
