//! What cargo knows of the packages in a release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;
use xshell::cmd;

use crate::bundle::artifact::ARTIFACTS;
use crate::commands::dist::PROGRAMS;
use crate::compile::WASM;
use crate::workspace::Workspace;

/// A package, as `cargo metadata` describes it.
#[derive(Deserialize)]
pub(super) struct Package {
    id: String,
    pub(super) name: String,
    pub(super) version: String,
    license: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) repository: Option<String>,
    source: Option<String>,
    manifest_path: PathBuf,
    #[serde(skip)]
    pub(super) origin: Origin,
    /// The [references](Self::reference) of the packages in the release that it is linked with.
    #[serde(skip)]
    pub(super) dependencies: BTreeSet<String>,
}

impl Package {
    /// Names it in lists. Cargo's ids contain the paths of this machine.
    pub(super) fn reference(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// An SPDX expression.
    pub(super) fn license(&self) -> &str {
        self.license.as_deref().unwrap_or_default()
    }

    pub(super) fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }
}

/// Where a package comes from.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Origin {
    #[default]
    Workspace,
    /// A changed copy of somebody else's package, in this repository.
    Patch,
    /// A registry; with the SHA-256 of what was downloaded.
    Registry { checksum: Option<String> },
}

/// The packages in the programs for this target, and in the modules of both elements, sorted by name and version.
pub(super) fn read(workspace: &Workspace, target: &str) -> Result<Vec<Package>> {
    let sh = &workspace.sh;
    let modules = ARTIFACTS.map(|artifact| (WASM, artifact.package));
    let programs = PROGRAMS.map(|program| (target, program));
    let mut graph = Graph::new();
    for (target, package) in programs.into_iter().chain(modules) {
        // Without build scripts and macros.
        let edges = ["--edges", "normal,no-proc-macro", "--prefix", "depth"];
        let tree = cmd!(
            sh,
            "cargo tree --locked --target {target} --package {package}"
        );
        let tree = tree.args(edges).args(["--format", " {p}"]).read()?;
        add_tree(&mut graph, &tree);
    }
    let metadata = cmd!(sh, "cargo metadata --format-version 1 --locked").read()?;
    let metadata = serde_json::from_str(&metadata).context(
        "the output of `cargo metadata` can't be read; is this another version of cargo?",
    )?;
    let lock = toml::from_str(&sh.read_file("Cargo.lock")?).context("Cargo.lock")?;
    select(metadata, &graph, &lock)
}

/// Those that others have written.
pub(super) fn third_party(packages: &[Package]) -> impl Iterator<Item = &Package> {
    let packages = packages.iter();
    packages.filter(|package| package.origin != Origin::Workspace)
}

/// The [references](Package::reference) of packages, each with those of the packages that it is linked with.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Adds the packages of a tree, which `cargo tree` prints with their depths.
fn add_tree(graph: &mut Graph, tree: &str) {
    let mut above: Vec<String> = Vec::new();
    for line in tree.lines() {
        // Such as `2 serde v1.0.0`, and more for a package of a folder, or whose dependencies were printed before.
        let mut words = line.split_whitespace();
        let (Some(depth), Some(name), Some(version)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let reference = format!("{name} {}", version.trim_start_matches('v'));
        above.truncate(depth.parse().unwrap_or_default());
        if let Some(user) = above.last() {
            let linked = graph.entry(user.clone()).or_default();
            linked.insert(reference.clone());
        }
        graph.entry(reference.clone()).or_default();
        above.push(reference);
    }
}

/// The parts of `cargo metadata` that are used here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: BTreeSet<String>,
}

/// The parts of `Cargo.lock` that are used here.
#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

impl Lock {
    /// The SHA-256 of what was downloaded of a package.
    fn checksum(&self, package: &Package) -> Option<String> {
        let mut locked = self.package.iter();
        let locked = locked
            .find(|locked| locked.name == package.name && locked.version == package.version)?;
        locked.checksum.clone()
    }
}

fn select(metadata: Metadata, graph: &Graph, lock: &Lock) -> Result<Vec<Package>> {
    let mut packages = metadata.packages;
    packages.retain(|package| graph.contains_key(&package.reference()));
    packages.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    for package in &mut packages {
        let reference = package.reference();
        package.license = Some(canonical(package.license()).with_context(|| {
            format!(
                "{reference} declares no licence that SPDX knows: a release must list the licences of all that is \
                 inside, so replace the package"
            )
        })?);
        package.origin = if metadata.workspace_members.contains(&package.id) {
            Origin::Workspace
        } else if package.source.is_none() {
            Origin::Patch
        } else {
            let checksum = lock.checksum(package);
            Origin::Registry { checksum }
        };
        package.dependencies = graph.get(&reference).cloned().unwrap_or_default();
    }
    Ok(packages)
}

/// An SPDX expression in its current syntax: older packages write `MIT/Apache-2.0`.
fn canonical(expression: &str) -> Option<String> {
    let rewritten = spdx::Expression::canonicalize(expression).ok()?;
    let expression = rewritten.unwrap_or_else(|| expression.to_owned());
    spdx::Expression::parse(&expression).ok()?;
    Some(expression)
}

#[cfg(test)]
impl Package {
    pub(super) fn test(name: &str, version: &str, license: &str, folder: &Path) -> Self {
        Self {
            id: name.to_owned(),
            name: name.to_owned(),
            version: version.to_owned(),
            license: Some(license.to_owned()),
            authors: vec!["A. Author".to_owned()],
            repository: None,
            source: None,
            manifest_path: folder.join("Cargo.toml"),
            origin: Origin::Registry { checksum: None },
            dependencies: BTreeSet::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TREE: &str = "\
0 tender v1.0.0 (/code/tender)
1 serde v1.0.0
2 patched v1.0.0 (/code/patched)

0 tender v1.0.0 (/code/tender)
1 patched v1.0.0 (/code/patched)
1 serde v1.0.0 (*)";

    fn select(license: &str) -> Result<Vec<Package>> {
        let package = |id: &str, source: Option<&str>| {
            json!({
                "id": id, "name": id, "version": "1.0.0", "license": license, "authors": [],
                "repository": null, "source": source, "manifest_path": format!("/code/{id}/Cargo.toml"),
            })
        };
        let metadata = json!({
            "packages": [
                package("tender", None),
                package("patched", None),
                package("serde", Some("registry")),
                package("cc", Some("registry")),
            ],
            "workspace_members": ["tender"],
        });
        let lock = json!({ "package": [
            { "name": "patched", "version": "1.0.0" },
            { "name": "serde", "version": "1.0.0", "checksum": "abc" },
        ] });
        let mut graph = Graph::new();
        add_tree(&mut graph, TREE);
        super::select(
            serde_json::from_value(metadata)?,
            &graph,
            &serde_json::from_value(lock)?,
        )
    }

    #[test]
    fn packages_have_their_origin_and_what_they_are_linked_with() {
        let packages = select("MIT/Apache-2.0").unwrap();
        let names: Vec<_> = packages.iter().map(|package| &*package.name).collect();
        assert_eq!(names, ["patched", "serde", "tender"]);
        let [patched, serde, tender] = &packages[..] else {
            panic!("{names:?}");
        };
        assert_eq!(patched.origin, Origin::Patch);
        let checksum = Some("abc".to_owned());
        assert_eq!(serde.origin, Origin::Registry { checksum });
        assert_eq!(tender.origin, Origin::Workspace);
        let both = ["patched 1.0.0", "serde 1.0.0"].map(str::to_owned);
        assert_eq!(tender.dependencies, both.into());
        assert_eq!(serde.dependencies, ["patched 1.0.0".to_owned()].into());
        assert_eq!(patched.dependencies, BTreeSet::new());
        assert_eq!(tender.license(), "MIT OR Apache-2.0");
    }

    #[test]
    fn a_license_that_spdx_does_not_know_is_an_error() {
        for license in ["", "Public Domain"] {
            let error = select(license).err().unwrap().to_string();
            assert!(error.contains("no licence that SPDX knows"), "{error}");
        }
    }
}
