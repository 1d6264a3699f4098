//! From trunk's output to the files that a proxy serves under `/v1/`.
//!
//! Trunk leaves the glue and the module in its staging folder, from where [`module`] makes the ones that are served. A
//! browser keeps them for ever, so their names change with their content; the loader has a stable name and learns
//! theirs here. As trunk's post-build hook this also serves `trunk build` and `trunk serve` on their own.

pub(crate) mod compress;
pub(crate) mod css;
mod module;
pub(crate) mod stamp;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

/// An element: what is built and served for it.
struct Artifact {
    /// What wasm-bindgen names its output after.
    package: &'static str,
    /// Whether some of it is for later (src/later.rs).
    comes_in_parts: bool,
    /// Where the loader and its types are; both keep their names, as they are the public address of the element.
    folder: &'static str,
    loader: &'static str,
    types: &'static str,
    /// What comes after the stylesheet of all elements.
    styles: &'static [&'static str],
    /// Where its texts are, and below `locales/` where they are served.
    locales: &'static str,
    served_locales: &'static str,
}

const ARTIFACTS: [Artifact; 2] = [
    Artifact {
        package: "tender-checkout",
        comes_in_parts: true,
        folder: "src",
        loader: "checkout.js",
        types: "checkout.d.ts",
        styles: &["style/checkout.css"],
        locales: "locales",
        served_locales: "locales",
    },
    Artifact {
        package: "tender-payments",
        comes_in_parts: false,
        folder: "crates/payments/src",
        loader: "payments.js",
        types: "payments.d.ts",
        styles: &["style/controls.css", "style/payments.css"],
        locales: "crates/payments/locales",
        served_locales: "locales/payments",
    },
];

/// What the loaders share, and the stylesheet that comes before each element's own.
const SHARED_LOADER: &str = "crates/element/loader.js";
const SHARED_STYLE: &str = "style/element.css";
/// The widget's version is the workspace's, and this package has it too.
const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let staging = PathBuf::from(env::var_os("TRUNK_STAGING_DIR").ok_or(Error::NotAHook)?);
    let is_release = env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release");
    let folder = staging.join("v1");
    fs::create_dir_all(&folder).map_err(Error::file("create", &folder))?;
    let toolbox = tools::ensure(workspace, &[Step::Dist])?;
    let tools = module::Pipeline {
        workspace,
        toolbox: &toolbox,
        is_release,
    };
    for artifact in &ARTIFACTS {
        tools.make(artifact, &staging, &folder)?;
    }
    lay_out(workspace.root(), &staging)?;
    // A development build stays readable, and compressing would cost it seconds on every change.
    if is_release {
        for artifact in &ARTIFACTS {
            let loader = folder.join(artifact.loader);
            tools.minify(&loader, &[], &loader)?;
        }
        let sizes = compress::folder(&folder)?;
        print!("{}", compress::table(&sizes));
    }
    Ok(())
}

/// Makes `<staging>/v1` of what trunk left in its staging folder and of the sources in `root`.
fn lay_out(root: &Path, staging: &Path) -> Result<PathBuf> {
    let folder = staging.join("v1");
    fs::create_dir_all(&folder).map_err(Error::file("create", &folder))?;

    let shared_loader = read(&root.join(SHARED_LOADER))?;
    let shared_style = read(&root.join(SHARED_STYLE))?;
    for artifact in &ARTIFACTS {
        let glue = move_by_content(staging, &folder, artifact.package, "", "js")?;
        let wasm = move_by_content(staging, &folder, artifact.package, "_bg", "wasm")?;
        let mut style = shared_style.clone();
        for part in artifact.styles {
            style += &read(&root.join(part))?;
        }
        let sources = root.join(artifact.folder);
        let source = stamp::include(&read(&sources.join(artifact.loader))?, &shared_loader)?;
        let loader = stamp::stamp(
            &source,
            &[
                ("__TENDER_GLUE__", &glue),
                ("__TENDER_WASM__", &wasm),
                ("__TENDER_STYLE__", &css::squeeze(&style)?),
                ("__TENDER_LANGUAGES__", &languages(root, &folder, artifact)?),
                ("__TENDER_VERSION__", VERSION),
            ],
        )?;
        write(&folder.join(artifact.loader), &loader)?;
        let preload = folder.join(artifact.loader).with_extension("preload.json");
        write(&preload, what_to_preload(&glue, &wasm))?;
        write(
            &folder.join(artifact.types),
            &read(&sources.join(artifact.types))?,
        )?;
    }
    remove_snippets(staging)?;
    Ok(folder)
}

/// What a page may ask for before the loader does, by the kind of link that does it. A shop's backend reads the names
/// here, under a name that stays.
fn what_to_preload(glue: &str, wasm: &str) -> String {
    serde_json::json!({ "modulepreload": [glue], "fetch": [wasm] }).to_string()
}

/// Copies the files of texts, each under a name with a digest of its content, and gives a JSON object of
/// their names by their languages.
fn languages(root: &Path, folder: &Path, artifact: &Artifact) -> Result<String> {
    let from = root.join(artifact.locales);
    let served = artifact.served_locales;
    let to = folder.join(served);
    fs::create_dir_all(&to).map_err(Error::file("create", &to))?;
    let mut names = BTreeMap::new();
    for entry in fs::read_dir(&from).map_err(Error::file("list", &from))? {
        let path = entry.map_err(Error::file("list", &from))?.path();
        let Some(language) = path.file_stem().and_then(OsStr::to_str) else {
            continue;
        };
        let texts = read(&path)?;
        let name = format!("{served}/{language}-{}.json", digest(texts.as_bytes()));
        write(&folder.join(&name), &texts)?;
        names.insert(language.to_ascii_lowercase(), name);
    }
    Ok(serde_json::json!(names).to_string())
}

/// Moves `<package><part>.<extension>` into the folder, under a name with a digest of its content.
/// Trunk's own hash is of the module before wasm-bindgen and wasm-opt, so that another version or
/// option of those would give other content under the same name.
fn move_by_content(
    staging: &Path,
    folder: &Path,
    package: &str,
    part: &str,
    extension: &str,
) -> Result<String> {
    let from = staging.join(format!("{package}{part}.{extension}"));
    let content = fs::read(&from).map_err(Error::file("read", &from))?;
    let name = format!("{package}-{}{part}.{extension}", digest(&content));
    fs::rename(&from, folder.join(&name)).map_err(Error::file("move", &from))?;
    Ok(name)
}

/// The first 16 hexadecimal digits of the content's SHA-256.
fn digest(content: &[u8]) -> String {
    let mut digest = hex::encode(Sha256::digest(content));
    digest.truncate(16);
    digest
}

/// Trunk also copies scripts that crates bring along. The glue holds those that it needs.
fn remove_snippets(staging: &Path) -> Result<()> {
    let folder = staging.join("snippets");
    if !folder.is_dir() {
        return Ok(());
    }
    fs::remove_dir_all(&folder).map_err(Error::file("remove", &folder))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(Error::file("read", path))
}

fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, content).map_err(Error::file("write", path))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const LOADER: &str = "own\n\"__TENDER_LOADER__\";";
    const SHARED: &str = r#"/* head */
f("__TENDER_GLUE__", "__TENDER_WASM__", "__TENDER_STYLE__", "__TENDER_LANGUAGES__", "__TENDER_VERSION__")"#;

    /// Sources, and a staging folder beside them as trunk leaves it.
    fn project(glue: &str) -> TempDir {
        let project = tempfile::tempdir().unwrap();
        for (path, content) in [
            ("crates/element/loader.js", SHARED),
            ("src/checkout.js", LOADER),
            ("src/checkout.d.ts", "export {};"),
            ("crates/payments/src/payments.js", LOADER),
            ("crates/payments/src/payments.d.ts", "export {};"),
            ("style/payments.css", "c { top: 2px }"),
            ("style/controls.css", "d { top: 3px }"),
            ("crates/payments/locales/de.json", "{ }"),
            ("staging/tender-payments.js", ""),
            ("staging/tender-payments_bg.wasm", "\0asm2"),
            ("style/element.css", "a { top: 0 }"),
            ("style/checkout.css", "b { top: 1px }"),
            ("locales/de.json", "{}"),
            ("staging/index.html", "<!doctype html>"),
            ("staging/tender-checkout.js", glue),
            ("staging/tender-checkout_bg.wasm", "\0asm"),
            ("staging/snippets/one-1/inline0.js", "export {};"),
        ] {
            let path = project.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        project
    }

    /// The paths below a folder, sorted.
    fn paths(folder: &Path) -> Vec<String> {
        let mut paths: Vec<String> = compress::files(folder)
            .unwrap()
            .iter()
            .map(|path| path.strip_prefix(folder).unwrap().display().to_string())
            .collect();
        paths.sort();
        paths
    }

    #[test]
    fn the_loader_names_the_files_that_lie_beside_it() {
        let project = project("export {};");
        let staging = project.path().join("staging");
        let folder = lay_out(project.path(), &staging).unwrap();

        let glue = "tender-checkout-2e29cd9a98755c46.js";
        let wasm = "tender-checkout-cd5d4935a48c0672_bg.wasm";
        let paths = paths(&staging);
        let of_payments = |path: &&String| path.contains("payments");
        assert_eq!(
            paths
                .iter()
                .filter(|path| !of_payments(path))
                .collect::<Vec<_>>(),
            [
                "index.html",
                "v1/checkout.d.ts",
                "v1/checkout.js",
                "v1/checkout.preload.json",
                "v1/locales/de-44136fa355b3678a.json",
                &format!("v1/{glue}"),
                &format!("v1/{wasm}"),
            ]
        );
        assert_eq!(
            paths.iter().filter(of_payments).collect::<Vec<_>>(),
            [
                "v1/locales/payments/de-257c1be96ae69f4b.json",
                "v1/payments.d.ts",
                "v1/payments.js",
                "v1/payments.preload.json",
                "v1/tender-payments-dbbfaf6fcec894c8_bg.wasm",
                "v1/tender-payments-e3b0c44298fc1c14.js",
            ]
        );
        assert_eq!(
            read(&folder.join("checkout.js")).unwrap(),
            format!(
                r#"own
f("{glue}", "{wasm}", "a{{top:0}}b{{top:1px}}", "{{\"de\":\"locales/de-44136fa355b3678a.json\"}}", "{VERSION}")"#
            )
        );
    }

    #[test]
    fn a_shop_finds_the_names_under_one_that_stays() {
        let project = project("");
        let folder = lay_out(project.path(), &project.path().join("staging")).unwrap();
        let preload = read(&folder.join("checkout.preload.json")).unwrap();
        let preload: serde_json::Value = serde_json::from_str(&preload).unwrap();
        for link in ["modulepreload", "fetch"] {
            let names: Vec<_> = preload[link].as_array().unwrap().iter().collect();
            assert_eq!(names.len(), 1);
            assert!(
                folder.join(names[0].as_str().unwrap()).is_file(),
                "{preload}"
            );
        }
    }

    #[test]
    fn other_content_has_another_name() {
        let name = |glue| {
            let project = project(glue);
            let staging = project.path().join("staging");
            lay_out(project.path(), &staging).unwrap();
            paths(&staging)
        };
        assert_eq!(name("one"), name("one"));
        assert_ne!(name("one"), name("two"));
    }

    #[test]
    fn without_trunks_output_there_is_no_bundle() {
        let project = project("");
        let staging = project.path().join("staging");
        lay_out(project.path(), &staging).unwrap();
        let error = lay_out(project.path(), &staging).unwrap_err();
        assert!(
            matches!(error, Error::File { action: "read", .. }),
            "{error}"
        );
    }
}
