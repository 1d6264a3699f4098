//! What a loader knows of its release: the names of the other files and, if it is pinned, their hashes, as `integrity`
//! attributes have them (W3C Subresource Integrity).

use std::collections::BTreeMap;
use std::iter;
use std::path::Path;

use anyhow::Result;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fs_err as fs;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha384};

use super::artifact::Artifact;
use super::{VERSION, digest};

/// The files of an element in `dist/v1`, besides its loader.
pub(super) struct Files {
    pub(super) glue: String,
    pub(super) wasm: String,
    /// The locale files, by lower-case locale.
    pub(super) locales: BTreeMap<String, String>,
}

impl Files {
    /// What the loader with this file name imports as `tender-build`. A pinned one also has hashes.
    pub(super) fn build(&self, loader: &str, integrity: Option<&Integrity>) -> Value {
        let mut build = Map::from_iter([
            ("loader".to_owned(), json!(loader)),
            ("glue".to_owned(), json!(self.glue)),
            ("wasm".to_owned(), json!(self.wasm)),
            ("locales".to_owned(), json!(self.locales)),
            ("version".to_owned(), json!(VERSION)),
        ]);
        if let Some(integrity) = integrity {
            build.insert("integrity".to_owned(), json!(integrity));
        }
        Value::Object(build)
    }

    /// The hashes of what a pinned loader loads from `folder`, by name. The glue is part of it.
    pub(super) fn integrity(&self, folder: &Path) -> Result<Integrity> {
        iter::once(&self.wasm)
            .chain(self.locales.values())
            .map(|file| Ok((file.clone(), hash(&folder.join(file))?)))
            .collect()
    }
}

/// Hashes by file name.
pub(super) type Integrity = BTreeMap<String, String>;

/// The name under which a file of this release is served, and never changes: `checkout-0.1.0-0123456789abcdef.js`. A loader
/// contains its own name, so the hash is that of a draft with another name.
pub(super) fn pinned_name(artifact: &Artifact, draft: &Path, extension: &str) -> Result<String> {
    let name = artifact.loader.trim_end_matches(".js");
    let digest = digest(&fs::read(draft)?);
    Ok(format!("{name}-{VERSION}-{digest}.{extension}"))
}

/// Writes `checkout.integrity.json`. The pinned loader and the style sheet, if the element serves one, are in `folder`. A
/// content security policy allows an inline style sheet by the same hash.
pub(super) fn write_manifest(
    artifact: &Artifact,
    loader: &str,
    style: Option<String>,
    mut integrity: Integrity,
    folder: &Path,
) -> Result<()> {
    for file in iter::once(loader).chain(style.as_deref()) {
        integrity.insert(file.to_owned(), hash(&folder.join(file))?);
    }
    let mut manifest = json!({
        "version": VERSION,
        "loader": loader,
        "integrity": integrity,
    });
    if let (Some(style), Some(manifest)) = (style, manifest.as_object_mut()) {
        manifest.insert("style".to_owned(), json!(style));
    }
    let path = folder
        .join(artifact.loader)
        .with_extension("integrity.json");
    Ok(fs::write(path, format!("{manifest:#}\n"))?)
}

/// `sha384-` and the digest in base64.
fn hash(file: &Path) -> Result<String> {
    Ok(format!(
        "sha384-{}",
        STANDARD.encode(Sha384::digest(fs::read(file)?))
    ))
}
