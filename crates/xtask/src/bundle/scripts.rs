//! Bundles JavaScript and CSS, by esbuild.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::{Cmd, cmd};

use super::artifact::Artifact;
use crate::workspace::Workspace;

/// The oldest supported browsers (`crates/element/loader/support.js`), for what only they load.
const TARGET: &str = "--target=chrome96,firefox101,safari16.4";

/// The oldest browsers in which a loader runs, if only to say that the module doesn't: those with `Object.hasOwn`.
const LOADER_TARGET: &str = "--target=chrome93,firefox92,safari15.4";

/// The oldest JavaScript of the payment page's script. It runs where a loader doesn't, and keeps the page up to date.
const PAYMENT_PAGE_TARGET: &str = "--target=es2018";

/// The script of the proxy's payment page.
const PAYMENT_PAGE: &str = "src/pay.js";

/// How a loader treats the other files of its release.
#[derive(Clone, Copy)]
pub(crate) enum Kind<'a> {
    /// It loads them by their names.
    Plain,
    /// It contains this glue, and accepts only files with the hashes in its build values.
    Pinned { glue: &'a Path },
}

/// How scripts are bundled.
pub(crate) struct Scripts<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) is_minified: bool,
}

impl<'a> Scripts<'a> {
    /// Bundles wasm-bindgen's JavaScript with the scripts that it imports, in place.
    pub(crate) fn glue(&self, glue: &Path) -> Result<()> {
        let esbuild = self.esbuild(glue, glue);
        let esbuild = esbuild.args([TARGET, "--format=esm", "--allow-overwrite"]);
        Ok(esbuild.run()?)
    }

    /// Bundles an element's style sheet, and returns its path.
    pub(super) fn style(&self, artifact: &Artifact) -> Result<PathBuf> {
        let style = self.workspace.target().join("bundle").join(artifact.loader);
        let style = style.with_extension("css");
        self.esbuild(artifact.style.as_ref(), &style).run()?;
        Ok(style)
    }

    /// Bundles an element's loader, with its style sheet inside, into a classic script. `build` is what it imports as
    /// `tender-build`.
    pub(crate) fn loader(
        &self,
        artifact: &Artifact,
        kind: Kind,
        build: &Path,
        to: &Path,
    ) -> Result<()> {
        let style = self.style(artifact)?;
        let source = Path::new(artifact.sources).join(artifact.loader);
        let esbuild = self
            .esbuild(&source, to)
            .args([LOADER_TARGET, "--format=iife", "--loader:.css=text"])
            .arg(alias("tender-build", build))
            .arg(alias("tender-style", &style));
        let esbuild = match kind {
            Kind::Plain => esbuild.arg("--define:PINNED=false"),
            Kind::Pinned { glue } => esbuild
                .arg("--define:PINNED=true")
                // Where the module is; the loader says so in any case.
                .arg("--define:import.meta.url=undefined")
                .arg(alias("tender-glue", glue)),
        };
        Ok(esbuild.run()?)
    }

    /// Bundles a module of the tests into a classic script that sets its exports as the global `accessibility`. It imports
    /// the library in this folder.
    pub(crate) fn accessibility(&self, module: &Path, library: &Path, to: &Path) -> Result<()> {
        let esbuild = self
            .esbuild(module, to)
            .args(["--format=iife", "--global-name=accessibility"])
            .arg(alias("dom-accessibility-api", library));
        Ok(esbuild.run()?)
    }

    /// Bundles the script of the proxy's payment page.
    pub(super) fn payment_page(&self, to: &Path) -> Result<()> {
        let esbuild = self.esbuild(PAYMENT_PAGE.as_ref(), to);
        let esbuild = esbuild.args([PAYMENT_PAGE_TARGET, "--format=iife"]);
        Ok(esbuild.run()?)
    }

    fn esbuild(&self, from: &Path, to: &Path) -> Cmd<'a> {
        let minify = self.is_minified.then_some("--minify");
        cmd!(
            self.workspace.sh,
            "esbuild --bundle --log-level=warning {minify...} {from} --outfile={to}"
        )
    }
}

/// Imports of this name are of this file or package.
fn alias(name: &str, path: &Path) -> String {
    format!("--alias:{name}={}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROWSERS: &str = include_str!("../../../../docs/browsers.md");

    /// `Chrome and Edge 96`, `Firefox 101` and `Safari 16.4` of esbuild's targets.
    fn named(target: &str) -> Vec<String> {
        let target = target
            .replace("--target=chrome", "Chrome and Edge ")
            .replace("firefox", "Firefox ")
            .replace("safari", "Safari ");
        target.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn the_documentation_names_the_oldest_browsers() {
        for name in named(TARGET).iter().chain(&named(LOADER_TARGET)) {
            assert!(BROWSERS.contains(name), "docs/browsers.md lacks {name}");
        }
        let embedding = include_str!("../../../../docs/embedding.md");
        let support = include_str!("../../../element/loader/support.js");
        for name in named(TARGET) {
            assert!(embedding.contains(&name), "docs/embedding.md lacks {name}");
            let name = name.replace(" and Edge", "");
            assert!(support.contains(&name), "support.js lacks {name}");
        }
    }

    /// What `wasm-opt` may use, browsers must have.
    #[test]
    fn the_documentation_names_each_feature_of_the_modules() {
        let page = include_str!("../../../../index.html");
        let features: Vec<_> = page
            .split_whitespace()
            .filter_map(|word| word.strip_prefix("--enable-"))
            .map(|word| word.trim_end_matches('"'))
            .collect();
        assert!(features.contains(&"reference-types"), "{features:?}");
        for feature in features {
            let named = format!("`{feature}`");
            assert!(BROWSERS.contains(&named), "docs/browsers.md lacks {named}");
        }
    }
}
