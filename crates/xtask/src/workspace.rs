//! The repository's folders, and a shell in its root.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use xshell::Shell;

const NOT_FROM_CARGO: &str =
    "run this program as `cargo xtask`: cargo tells it where the workspace is";

/// The repository, and cargo's target folder.
pub(crate) struct Workspace {
    /// Runs programs in the root, without input.
    pub(crate) sh: Shell,
    root: PathBuf,
    /// `<target>/debug`, where this program is, and the others that cargo builds.
    dev_binaries: PathBuf,
}

impl Workspace {
    pub(crate) fn locate() -> Result<Self> {
        let manifest_dir = env::var_os("CARGO_MANIFEST_DIR").context(NOT_FROM_CARGO)?;
        let root = Path::new(&manifest_dir).ancestors().nth(2);
        let root = root.context(NOT_FROM_CARGO)?.to_owned();
        let this = env::current_exe()?;
        let dev_binaries = this.parent().context(NOT_FROM_CARGO)?.to_owned();
        let sh = Shell::new()?;
        sh.change_dir(&root);
        Ok(Self {
            sh,
            root,
            dev_binaries,
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn dev_binary(&self, name: &str) -> PathBuf {
        self.dev_binaries.join(name)
    }

    pub(crate) fn release_binary(&self, name: &str) -> PathBuf {
        self.dev_binaries.with_file_name("release").join(name)
    }

    /// Cargo's target folder, for intermediate files.
    pub(crate) fn target(&self) -> PathBuf {
        let debug = &self.dev_binaries;
        debug.parent().unwrap_or(debug).to_owned()
    }
}
