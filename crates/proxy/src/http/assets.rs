//! The files of the built widget (`dist/v1`), read once at startup.
//!
//! A release contains them, and fails to compile without them. Any other build reads them from the
//! `dist/v1` of the source tree, as it reads the directory that the configuration may name. A request
//! must match a path exactly, so path traversal is impossible.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use axum::body::Bytes;
use serde::Deserialize;

use crate::config::Logo;
use crate::encoding::{Encoded, Encoding};

/// The script that a page includes.
const LOADER: &str = "checkout.js";

/// Which of the files belong to the checkout.
const MANIFEST: &str = "checkout.integrity.json";

/// The files of the widget.
pub(crate) struct Assets {
    /// Keyed by their path below `/v1/`.
    files: HashMap<String, Asset>,
    /// The path of the form's style sheet, if there is one.
    style: Option<String>,
}

/// What is read of [`MANIFEST`].
#[derive(Deserialize)]
struct Manifest {
    style: Option<String>,
}

/// A file, uncompressed and precompressed.
pub(crate) struct Asset {
    pub(crate) content_type: &'static str,
    pub(crate) cache_control: &'static str,
    pub(crate) content: Encoded,
}

impl Assets {
    /// Reads the files of `directory`, or the widget of this build. The shop's logo is beside them.
    pub(crate) fn load(directory: Option<&Path>, logo: Option<&Logo>) -> io::Result<Self> {
        let mut files = match directory {
            Some(directory) => in_directory(directory)?,
            None => built_in()?,
        };
        if !files.contains_key(LOADER) {
            if directory.is_some() {
                tracing::warn!(
                    "the directory in `assets` has no {LOADER}, so no page can show the checkout"
                );
            } else {
                tracing::error!(
                    "the widget is not built, so no page can show the checkout: run `cargo xtask dist`, or set `assets` \
                     to the directory of a built widget"
                );
            }
        }
        files.extend(logo.map(|logo| (logo.name.to_owned(), logo.content.clone())));
        let plain = files.keys().filter(|path| stem(path).is_none());
        let asset = |path| Some((String::clone(path), Asset::new(path, &files)?));
        let manifest = files.get(MANIFEST);
        let manifest = manifest.and_then(|json| serde_json::from_slice::<Manifest>(json).ok());
        Ok(Self {
            files: plain.filter_map(asset).collect(),
            style: manifest.and_then(|manifest| manifest.style),
        })
    }

    pub(crate) fn get(&self, path: &str) -> Option<&Asset> {
        self.files.get(path)
    }

    /// The style sheet of the form, and its path.
    pub(crate) fn style(&self) -> Option<(&str, &Encoded)> {
        let path = self.style.as_deref()?;
        Some((path, &self.get(path)?.content))
    }
}

impl Asset {
    fn new(path: &str, files: &HashMap<String, Bytes>) -> Option<Self> {
        let content = |suffix: &str| Some(files.get(&format!("{path}{suffix}"))?.clone());
        Some(Self {
            content_type: content_type(path),
            cache_control: cache_control(path),
            content: Encoded::new(content("")?, |encoding| content(encoding.suffix())),
        })
    }
}

#[cfg(embedded_widget)]
#[expect(clippy::unnecessary_wraps, reason = "fails where the files are read")]
fn built_in() -> io::Result<HashMap<String, Bytes>> {
    use std::borrow::Cow;

    use rust_embed::RustEmbed;

    #[derive(RustEmbed)]
    #[folder = "../../dist/v1"]
    struct Widget;

    let file = |path: Cow<'static, str>| {
        let bytes = match Widget::get(&path)?.data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        };
        Some((path.into_owned(), bytes))
    };
    Ok(Widget::iter().filter_map(file).collect())
}

/// Without the files, the routes of the payment service still work: tests need no widget.
#[cfg(not(embedded_widget))]
fn built_in() -> io::Result<HashMap<String, Bytes>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/v1");
    match in_directory(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashMap::new()),
        files => files,
    }
}

fn in_directory(root: &Path) -> io::Result<HashMap<String, Bytes>> {
    let mut files = HashMap::new();
    let mut directories = vec![(root.to_owned(), String::new())];
    while let Some((directory, prefix)) = directories.pop() {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let name = format!("{prefix}{name}");
            if path.is_dir() {
                directories.push((path, format!("{name}/")));
            } else {
                files.insert(name, fs::read(path)?.into());
            }
        }
    }
    Ok(files)
}

/// The path of the uncompressed file, if this path is that of a compressed copy.
fn stem(path: &str) -> Option<&str> {
    let stems = Encoding::ALL.map(|encoding| path.strip_suffix(encoding.suffix()));
    stems.into_iter().flatten().next()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("html") => "text/html; charset=utf-8",
        Some("ts" | "txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// A file with a content hash in its name is immutable; any other file is revalidated after five
/// minutes.
fn cache_control(path: &str) -> &'static str {
    if path.split(['/', '-', '_', '.']).any(is_hash) {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=300, stale-while-revalidate=600"
    }
}

/// At least eight hexadecimal digits. One of them must be a decimal digit, so that ordinary words
/// don't match.
fn is_hash(part: &str) -> bool {
    let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    part.len() >= 8 && part.bytes().all(hex) && part.bytes().any(|byte| byte.is_ascii_digit())
}
