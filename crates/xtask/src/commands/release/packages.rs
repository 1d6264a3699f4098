//! What cargo knows of the packages in a release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::bundle::artifact::ARTIFACTS;
use crate::commands::dist::PROGRAMS;
use crate::compile::WASM;
use crate::error::{Error, Result};
use crate::workspace::{Workspace, output};

/// The packages of a release, sorted by name and version.
pub(super) struct Packages(pub(super) Vec<Package>);

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

impl Packages {
    /// The packages in the programs for this target, and in the modules of both elements.
    pub(super) fn read(workspace: &Workspace, target: &str) -> Result<Self> {
        let mut linked = linked(workspace, target, &PROGRAMS)?;
        for artifact in &ARTIFACTS {
            linked.extend(self::linked(workspace, WASM, &[artifact.package])?);
        }
        let mut command = workspace.command("cargo");
        command.args(["metadata", "--format-version", "1", "--locked"]);
        let metadata = serde_json::from_str(&output(&mut command)?).map_err(Error::Metadata)?;
        let lock = fs_err::read_to_string(workspace.root().join("Cargo.lock"))?;
        select(metadata, &linked, &checksums(&lock)?)
    }

    /// Those that others have written.
    pub(super) fn third_party(&self) -> impl Iterator<Item = &Package> {
        let packages = self.0.iter();
        packages.filter(|package| package.origin != Origin::Workspace)
    }
}

/// The [references](Package::reference) of the packages that are linked together: without build scripts and macros.
fn linked(workspace: &Workspace, target: &str, packages: &[&str]) -> Result<BTreeSet<String>> {
    let mut command = workspace.command("cargo");
    command
        .args(["tree", "--locked", "--target", target])
        .args(["--edges", "normal,no-proc-macro"])
        .args(["--prefix", "none", "--format", "{p}"])
        .args(packages.iter().flat_map(|package| ["--package", package]));
    let tree = output(&mut command)?;
    // Such as `serde v1.0.0`, and more for a package of a folder.
    let packages = tree.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        Some(format!("{name} {}", rest.split_whitespace().next()?))
    });
    Ok(packages.collect())
}

/// The parts of `cargo metadata` that are used here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: BTreeSet<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// `dev`, `build`, or nothing for a normal dependency.
    kind: Option<String>,
}

type Checksums = BTreeMap<(String, String), String>;

/// The SHA-256 of each package that was downloaded, by name and version.
fn checksums(lock: &str) -> Result<Checksums> {
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
    let lock: Lock = toml::from_str(lock).map_err(Error::Lock)?;
    let packages = lock.package.into_iter();
    let downloaded = packages.filter_map(|package| {
        let checksum = package.checksum?;
        Some(((package.name, package.version), checksum))
    });
    Ok(downloaded.collect())
}

fn select(
    metadata: Metadata,
    linked: &BTreeSet<String>,
    checksums: &Checksums,
) -> Result<Packages> {
    let mut packages = metadata.packages;
    packages.retain(|package| linked.contains(&package.reference()));
    packages.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    let references: BTreeMap<_, _> = packages
        .iter()
        .map(|package| (package.id.clone(), package.reference()))
        .collect();
    let nodes = metadata.resolve.nodes.into_iter();
    let mut nodes: BTreeMap<_, _> = nodes.map(|node| (node.id, node.deps)).collect();
    for package in &mut packages {
        let license = canonical(package.license());
        package.license = Some(license.ok_or_else(|| Error::UnknownLicense {
            package: package.reference(),
        })?);
        package.origin = if metadata.workspace_members.contains(&package.id) {
            Origin::Workspace
        } else if package.source.is_none() {
            Origin::Patch
        } else {
            let key = (package.name.clone(), package.version.clone());
            let checksum = checksums.get(&key).cloned();
            Origin::Registry { checksum }
        };
        let dependencies = nodes.remove(&package.id).unwrap_or_default();
        let dependencies = dependencies.iter().filter(|dependency| {
            let mut kinds = dependency.dep_kinds.iter();
            kinds.any(|kind| kind.kind.is_none())
        });
        package.dependencies = dependencies
            .filter_map(|dependency| references.get(&dependency.pkg).cloned())
            .collect();
    }
    Ok(Packages(packages))
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

    fn metadata(license: &str) -> Metadata {
        let package = |id: &str, source: Option<&str>| {
            json!({
                "id": id, "name": id, "version": "1.0.0", "license": license, "authors": [],
                "repository": null, "source": source, "manifest_path": format!("/code/{id}/Cargo.toml"),
            })
        };
        let dependency =
            |id: &str, kind: Option<&str>| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        serde_json::from_value(json!({
            "packages": [
                package("tender", None),
                package("patched", None),
                package("serde", Some("registry")),
                package("cc", Some("registry")),
            ],
            "workspace_members": ["tender"],
            "resolve": { "nodes": [
                { "id": "tender", "deps": [dependency("serde", None), dependency("cc", Some("build"))] },
                { "id": "serde", "deps": [dependency("patched", Some("dev"))] },
            ] },
        }))
        .unwrap()
    }

    fn select(license: &str) -> Result<Packages> {
        let linked = ["tender 1.0.0", "patched 1.0.0", "serde 1.0.0"];
        let lock = r#"
            package = [
                { name = "patched", version = "1.0.0" },
                { name = "serde", version = "1.0.0", checksum = "abc" },
            ]
        "#;
        super::select(
            metadata(license),
            &linked.map(str::to_owned).into(),
            &checksums(lock)?,
        )
    }

    #[test]
    fn packages_have_their_origin_and_what_they_are_linked_with() {
        let Packages(packages) = select("MIT/Apache-2.0").unwrap();
        let names: Vec<_> = packages.iter().map(|package| &*package.name).collect();
        assert_eq!(names, ["patched", "serde", "tender"]);
        let [patched, serde, tender] = &packages[..] else {
            panic!("{names:?}");
        };
        assert_eq!(patched.origin, Origin::Patch);
        let checksum = Some("abc".to_owned());
        assert_eq!(serde.origin, Origin::Registry { checksum });
        assert_eq!(tender.origin, Origin::Workspace);
        assert_eq!(tender.dependencies, ["serde 1.0.0".to_owned()].into());
        assert_eq!(serde.dependencies, BTreeSet::new());
        assert_eq!(tender.license(), "MIT OR Apache-2.0");
    }

    #[test]
    fn a_license_that_spdx_does_not_know_is_an_error() {
        for license in ["", "Public Domain"] {
            let error = select(license).err().unwrap();
            assert!(matches!(error, Error::UnknownLicense { .. }), "{error}");
        }
    }
}
