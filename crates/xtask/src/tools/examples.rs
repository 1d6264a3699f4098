//! The libraries of the example apps, which the end-to-end tests build.

use fs_err as fs;
use sha2::{Digest, Sha256};

use super::tool::{LIBRARY_FILES, Probe, Source, Tool};
use crate::error::Result;
use crate::step::Step::E2e;
use crate::workspace::Workspace;

/// The environment variables with the folders of their libraries, and the names.
pub(crate) const EXAMPLES: [(&str, &str); 6] = [
    ("EXAMPLE_ANGULAR", "example-angular"),
    ("EXAMPLE_NEXT", "example-next"),
    ("EXAMPLE_REACT", "example-react"),
    ("EXAMPLE_SVELTE", "example-svelte"),
    ("EXAMPLE_SVELTEKIT", "example-sveltekit"),
    ("EXAMPLE_VUE", "example-vue"),
];

/// The libraries of each example.
pub(super) fn tools(workspace: &Workspace) -> Result<Vec<Tool>> {
    let tool = |(_, name): (_, &'static str)| {
        let folder = name.replacen('-', "s/", 1);
        let version = version(workspace, &folder, &LIBRARY_FILES)?;
        Ok(Tool {
            name,
            why: "the libraries of an example app, which the tests build",
            needed_by: &[E2e],
            probe: Probe::Library("node_modules"),
            source: Source::NpmLock { folder, version },
        })
    };
    EXAMPLES.into_iter().map(tool).collect()
}

/// The version of the libraries in a folder: a hash of the files that list them.
pub(super) fn version(workspace: &Workspace, folder: &str, files: &[&str]) -> Result<String> {
    let mut hash = Sha256::new();
    for file in files {
        let path = workspace.root().join(folder).join(file);
        hash.update(fs::read(&path)?);
    }
    let mut version = hex::encode(hash.finalize());
    version.truncate(12);
    Ok(version)
}
