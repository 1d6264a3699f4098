//! `cargo xtask loaders`: bundles the scripts that the browser tests include: the loaders, and what computes accessible
//! roles and names.
//!
//! The loaders are the same as the served ones, except for the build values, which a test sets as the global `tenderBuild`.

use anyhow::Result;

use crate::bundle::artifact::ARTIFACTS;
use crate::bundle::scripts::{Kind, Scripts};
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

/// Where `tests/support/subject.rs` of each element looks for its loader, and `crates/element-testing` for the library.
const FOLDER: &str = "target/loaders";

/// What the loaders import as `tender-build`.
const BUILD: &str = "crates/element-testing/src/build.js";

/// The source of the global `accessibility`.
const ACCESSIBILITY: &str = "crates/element-testing/src/accessibility.js";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Step::Clippy])?;
    bundle(workspace)
}

pub(crate) fn bundle(workspace: &Workspace) -> Result<()> {
    let scripts = Scripts {
        workspace,
        is_minified: false,
    };
    let root = workspace.root();
    let folder = root.join(FOLDER);
    for artifact in &ARTIFACTS {
        let to = folder.join(artifact.loader);
        scripts.loader(artifact, Kind::Plain, &root.join(BUILD), &to)?;
    }
    let library = workspace.sh.var("DOM_ACCESSIBILITY_API")?;
    let to = folder.join("accessibility.js");
    scripts.accessibility(ACCESSIBILITY.as_ref(), library.as_ref(), &to)
}
