//! The software bill of materials, in the format CycloneDX: <https://cyclonedx.org/docs/1.6/json/>.

use serde_json::{Value, json};

use super::commit::Commit;
use super::packages::{Origin, Package};
use super::{NAME, VERSION};
use crate::commands::dist::PROGRAMS;

/// The reference of the whole release.
const ROOT: &str = "tender";
const STANDARD_LIBRARY: &str = "rust-std";

/// The bill of materials of an archive. `rust` is the version of the compiler, whose standard library is in every program.
pub(super) fn of(packages: &[Package], target: &str, commit: &Commit, rust: &str) -> Value {
    let components = packages.iter().map(component);
    let own = packages.iter();
    let own = own.filter(|package| package.origin == Origin::Workspace);
    let roots = own.map(Package::reference).collect::<Vec<_>>();
    let dependencies = packages.iter().map(|package| {
        let on = package.dependencies.iter().map(String::as_str);
        json!({ "ref": package.reference(), "dependsOn": on.chain([STANDARD_LIBRARY]).collect::<Vec<_>>() })
    });
    let root = json!({ "ref": ROOT, "dependsOn": roots });
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": commit.timestamp,
            "lifecycles": [{ "phase": "build" }],
            "tools": { "components": [{ "type": "application", "name": "cargo xtask release", "version": VERSION }] },
            "component": {
                "type": "application",
                "bom-ref": ROOT,
                "name": NAME,
                "version": VERSION,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
                "properties": [
                    { "name": "tender:target", "value": target },
                    { "name": "tender:commit", "value": commit.hash },
                ],
            },
        },
        "components": components.chain([standard_library(rust)]).collect::<Vec<_>>(),
        "dependencies": dependencies.chain([root]).collect::<Vec<_>>(),
    })
}

fn component(package: &Package) -> Value {
    let Package { name, version, .. } = package;
    let kind = if PROGRAMS.contains(&name.as_str()) {
        "application"
    } else {
        "library"
    };
    let repository = package.repository.as_ref();
    let purl = purl(name, version);
    let (purl, checksum, original) = match &package.origin {
        Origin::Workspace => (None, None, None),
        Origin::Patch => {
            let original = json!({ "type": kind, "name": name, "version": version, "purl": purl });
            (None, None, Some(original))
        }
        Origin::Registry { checksum } => (Some(purl), checksum.as_ref(), None),
    };
    let mut component = json!({
        "type": kind,
        "bom-ref": package.reference(),
        "name": name,
        "version": version,
        "licenses": [{ "expression": package.license() }],
        "externalReferences": repository.map(|url| json!([{ "type": "vcs", "url": url }])),
        "purl": purl,
        "hashes": checksum.map(|content| json!([{ "alg": "SHA-256", "content": content }])),
        "pedigree": original.map(|original| json!({ "ancestors": [original] })),
    });
    if let Some(fields) = component.as_object_mut() {
        // What is absent has no field.
        fields.retain(|_, value| !value.is_null());
    }
    component
}

fn standard_library(rust: &str) -> Value {
    json!({
        "type": "library",
        "bom-ref": STANDARD_LIBRARY,
        "name": STANDARD_LIBRARY,
        "version": rust,
        "licenses": [{ "expression": "MIT OR Apache-2.0" }],
        "purl": format!("pkg:github/rust-lang/rust@{rust}"),
    })
}

/// The address of a crate: <https://github.com/package-url/purl-spec>.
fn purl(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn package(name: &str, origin: Origin, dependencies: &[&str]) -> Package {
        let mut package = Package::test(name, "1.0.0+build", "MIT", Path::new("/"));
        package.origin = origin;
        package.dependencies = dependencies.iter().map(|&id| id.to_owned()).collect();
        package
    }

    fn bom() -> Value {
        let checksum = Some("00".repeat(32));
        let packages = [
            package("patched", Origin::Patch, &[]),
            package("serde", Origin::Registry { checksum }, &[]),
            package("tender-proxy", Origin::Workspace, &["serde 1.0.0+build"]),
        ];
        let commit = Commit {
            hash: "abc".to_owned(),
            timestamp: "1970-01-01T00:00:00Z".to_owned(),
        };
        of(&packages, "wasm", &commit, "1.95.0")
    }

    #[test]
    fn each_package_is_a_component_with_its_origin() {
        let bom = bom();
        let [patched, serde, proxy, std] = bom["components"].as_array().unwrap().as_slice() else {
            panic!("{bom:#}");
        };
        assert_eq!(serde["purl"], "pkg:cargo/serde@1.0.0%2Bbuild");
        assert_eq!(serde["hashes"][0]["content"], "00".repeat(32));
        assert_eq!(
            patched["pedigree"]["ancestors"][0]["purl"],
            "pkg:cargo/patched@1.0.0%2Bbuild"
        );
        // There is no such crate: somebody else could publish one with this name.
        assert_eq!(proxy.get("purl"), None);
        assert_eq!(patched.get("purl"), None);
        assert_eq!(
            (&proxy["type"], &serde["type"]),
            (&json!("application"), &json!("library"))
        );
        assert_eq!(std["version"], "1.95.0");
    }

    #[test]
    fn the_graph_leads_from_the_release_to_every_package() {
        let bom = bom();
        let on = |name: &str| {
            let mut graph = bom["dependencies"].as_array().unwrap().iter();
            let node = graph.find(|node| node["ref"] == name);
            node.unwrap()["dependsOn"].clone()
        };
        assert_eq!(on(ROOT), json!(["tender-proxy 1.0.0+build"]));
        assert_eq!(
            on("tender-proxy 1.0.0+build"),
            json!(["serde 1.0.0+build", STANDARD_LIBRARY])
        );
    }
}
