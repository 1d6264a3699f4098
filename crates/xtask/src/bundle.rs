//! `cargo xtask bundle`, trunk's post-build hook: turns trunk's output into the files that a proxy serves under `/v1/`.
//!
//! Trunk has compiled each element to a WebAssembly module and its JavaScript (the glue). This hook adds what trunk can't
//! do:
//!
//! - content hashes in file names, so that browsers can cache the files permanently. The loader has a stable name; the
//!   names of the other files are built into it ([`scripts`]);
//! - a list of the files that a page may preload, for a shop's backend;
//! - the style sheet of a form in the HTML of a shop's page;
//! - a second, pinned loader, which accepts only the files of this release, and the hashes of all ([`release`]);
//! - compression, at the best and slowest settings ([`compress`]).

pub(crate) mod artifact;
pub(crate) mod compress;
mod release;
pub(crate) mod scripts;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fs_err as fs;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use self::artifact::{ARTIFACTS, Artifact};
use self::release::Files;
use self::scripts::{Kind, Scripts};
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

/// The widget's version: all packages of the workspace have the same one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// English is built into the loader and the module.
const BUILT_IN_LOCALE: &str = "en";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let staging = env::var_os("TRUNK_STAGING_DIR").context(
        "TRUNK_STAGING_DIR is not set: `bundle` is trunk's post-build hook; run `cargo xtask dist` or `trunk build`",
    )?;
    let staging = PathBuf::from(staging);
    // A development build is neither minified nor compressed, because that would take seconds after each change.
    let is_release = env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release");
    tools::ensure(workspace, &[Step::Dist])?;
    let scripts = Scripts {
        workspace,
        is_minified: is_release,
    };
    let folder = staging.join("v1");
    fs::create_dir_all(&folder)?;
    let drafts = workspace.target().join("bundle");
    fs::create_dir_all(&drafts)?;
    for artifact in &ARTIFACTS {
        scripts.glue(&staging.join(artifact.glue()))?;
        let files = lay_out(artifact, workspace.root(), &staging, &folder)?;
        let loader = |kind, build: Value, to: &Path| {
            let values = drafts.join(artifact.loader).with_extension("json");
            fs::write(&values, build.to_string())?;
            scripts.loader(artifact, kind, &values, to)
        };
        let plain = files.build(artifact.loader, None);
        loader(Kind::Plain, plain, &folder.join(artifact.loader))?;

        let style = if artifact.serves_style {
            let style = scripts.style(artifact)?;
            let name = release::pinned_name(artifact, &style, "css")?;
            fs::copy(style, folder.join(&name))?;
            Some(name)
        } else {
            None
        };

        let integrity = files.integrity(&folder)?;
        let glue = folder.join(&files.glue);
        let pinned = |name: &str, to: &Path| {
            let build = files.build(name, Some(&integrity));
            loader(Kind::Pinned { glue: &glue }, build, to)
        };
        let draft = drafts.join(artifact.loader);
        pinned(artifact.loader, &draft)?;
        let name = release::pinned_name(artifact, &draft, "js")?;
        pinned(&name, &folder.join(&name))?;
        release::write_manifest(artifact, &name, style, integrity, &folder)?;
    }
    scripts.payment_page(&folder.join("pay.js"))?;
    // Trunk has copied these from crates; they are bundled into the glue.
    workspace.sh.remove_path(staging.join("snippets"))?;
    if is_release {
        compress::folder(&workspace.sh, &folder)?;
    }
    Ok(())
}

/// Moves an element's files from trunk's staging folder to `folder`, with its locale files from `root`.
fn lay_out(artifact: &Artifact, root: &Path, staging: &Path, folder: &Path) -> Result<Files> {
    let glue = move_by_content(&staging.join(artifact.glue()), folder)?;
    let wasm = move_by_content(&staging.join(artifact.wasm()), folder)?;
    // The files that a page may preload, by the `rel` of the link tag (`modulepreload`, or `preload` as `fetch`). A shop's
    // backend reads their names from this list, whose own name is stable.
    let list = json!({ "modulepreload": [glue], "fetch": [wasm] });
    let preload = folder.join(artifact.loader).with_extension("preload.json");
    fs::write(preload, list.to_string())?;
    let types = artifact.types();
    fs::copy(
        root.join(artifact.sources).join(&types),
        folder.join(&types),
    )?;
    Ok(Files {
        glue,
        wasm,
        locales: locales(artifact, root, folder)?,
    })
}

/// Copies the locale files under names with a content hash. Returns the names by locale. The hash is that of all of them: the
/// loader contains each name, and one hash compresses better than many.
fn locales(artifact: &Artifact, root: &Path, folder: &Path) -> Result<BTreeMap<String, String>> {
    let from = root.join(artifact.locales);
    fs::create_dir_all(folder.join(artifact.served_locales))?;
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(&from)? {
        let path = entry?.path();
        if let Some(locale) = path.file_stem().and_then(OsStr::to_str)
            && locale != BUILT_IN_LOCALE
        {
            texts.insert(locale.to_owned(), fs::read(&path)?);
        }
    }
    let all: Vec<_> = texts.values().flatten().copied().collect();
    let digest = digest(&all);
    let mut names = BTreeMap::new();
    for (locale, texts) in texts {
        let name = format!("{}/{locale}-{digest}.json", artifact.served_locales);
        fs::write(folder.join(&name), texts)?;
        names.insert(locale.to_ascii_lowercase(), name);
    }
    Ok(names)
}

/// Moves a file into `folder` under a name with a hash of its content, and returns the name: `a_bg.wasm` becomes
/// `a-0123456789abcdef_bg.wasm`. Trunk's own hash is of the module before wasm-bindgen and wasm-opt, so other versions or
/// options of these would produce different content under the same name.
fn move_by_content(from: &Path, folder: &Path) -> Result<String> {
    let content = fs::read(from)?;
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    let end = name.find(['_', '.']).unwrap_or(name.len());
    let (package, suffix) = name.split_at(end);
    let name = format!("{package}-{}{suffix}", digest(&content));
    fs::rename(from, folder.join(&name))?;
    Ok(name)
}

/// The first 16 hexadecimal digits of the content's SHA-256.
fn digest(content: &[u8]) -> String {
    let mut digest = hex::encode(Sha256::digest(content));
    digest.truncate(16);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths below a folder, sorted.
    fn paths(folder: &Path) -> Vec<String> {
        let files = compress::files(folder).unwrap();
        let relative = |path: &PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
        files.iter().map(relative).collect()
    }

    #[test]
    fn the_build_values_name_the_served_files() {
        // Sources, and a staging folder with trunk's output next to them.
        let project = tempfile::tempdir().unwrap();
        for (path, content) in [
            ("src/checkout.d.ts", "export {};"),
            ("crates/payments/src/payments.d.ts", "export {};"),
            ("crates/payments/locales/de.json", "{ }"),
            ("crates/payments/locales/en.json", "{ }"),
            ("locales/de.json", "{}"),
            ("locales/en.json", "{}"),
            ("locales/pt-BR.json", "[]"),
            ("staging/tender-payments.js", ""),
            ("staging/tender-payments_bg.wasm", "\0asm2"),
            ("staging/tender-checkout.js", "export {};"),
            ("staging/tender-checkout_bg.wasm", "\0asm"),
        ] {
            let path = project.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, content).unwrap();
        }
        let staging = project.path().join("staging");
        let folder = staging.join("v1");
        fs::create_dir_all(&folder).unwrap();
        let [checkout, payments] = ARTIFACTS.map(|artifact| {
            let files = lay_out(&artifact, project.path(), &staging, &folder).unwrap();
            files.build(artifact.loader, None)
        });
        let expected = json!({
            "loader": "checkout.js",
            "glue": "tender-checkout-2e29cd9a98755c46.js",
            "wasm": "tender-checkout-cd5d4935a48c0672_bg.wasm",
            "locales": {
                "de": "locales/de-7b7a2f342b4a9beb.json",
                "pt-br": "locales/pt-BR-7b7a2f342b4a9beb.json",
            },
            "version": VERSION,
        });
        assert_eq!(checkout, expected);
        let preload = fs::read(folder.join("checkout.preload.json")).unwrap();
        let preload: Value = serde_json::from_slice(&preload).unwrap();
        assert_eq!(
            preload,
            json!({ "modulepreload": [checkout["glue"]], "fetch": [checkout["wasm"]] })
        );
        let expected = json!({
            "loader": "payments.js",
            "glue": "tender-payments-e3b0c44298fc1c14.js",
            "wasm": "tender-payments-dbbfaf6fcec894c8_bg.wasm",
            "locales": { "de": "locales/payments/de-257c1be96ae69f4b.json" },
            "version": VERSION,
        });
        assert_eq!(payments, expected);
        assert_eq!(
            paths(&folder),
            [
                "checkout.d.ts",
                "checkout.preload.json",
                "locales/de-7b7a2f342b4a9beb.json",
                "locales/payments/de-257c1be96ae69f4b.json",
                "locales/pt-BR-7b7a2f342b4a9beb.json",
                "payments.d.ts",
                "payments.preload.json",
                "tender-checkout-2e29cd9a98755c46.js",
                "tender-checkout-cd5d4935a48c0672_bg.wasm",
                "tender-payments-dbbfaf6fcec894c8_bg.wasm",
                "tender-payments-e3b0c44298fc1c14.js",
            ]
        );
    }
}
