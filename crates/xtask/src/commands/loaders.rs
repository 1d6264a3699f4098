//! `cargo xtask loaders`: bundles the loaders for the browser tests, which include them.
//!
//! They are the same as the served loaders, except for the build values, which a test sets as the global `tenderBuild`.

use crate::bundle::artifact::ARTIFACTS;
use crate::bundle::scripts::{Kind, Scripts};
use crate::error::Result;
use crate::step::Step;
use crate::tools::{self, Toolbox};
use crate::workspace::Workspace;

/// Where `tests/support/subject.rs` of each element looks for its loader.
const FOLDER: &str = "target/loaders";

/// What the loaders import as `tender-build`.
const BUILD: &str = "tests/support/build.js";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    bundle(workspace, &tools::ensure(workspace, &[Step::Clippy])?)
}

pub(crate) fn bundle(workspace: &Workspace, toolbox: &Toolbox) -> Result<()> {
    let scripts = Scripts::new(workspace, toolbox);
    let root = workspace.root();
    for artifact in &ARTIFACTS {
        let to = root.join(FOLDER).join(artifact.loader);
        scripts.loader(artifact, Kind::Plain, &root.join(BUILD), &to)?;
    }
    Ok(())
}
