//! Compresses the bundle at build time, at the best settings; a proxy only reads files.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use fs_err as fs;

use crate::error::Result;

/// Smaller files are not compressed: the additional headers would be larger than what is saved.
const WORTH_COMPRESSING: usize = 256;

/// The sizes of one file, in bytes.
pub(crate) struct Sizes {
    name: String,
    raw: usize,
    gzip: usize,
    brotli: usize,
}

/// Writes `<file>.gz` and `<file>.br` next to each file above the minimum size, including subfolders.
pub(crate) fn folder(folder: &Path) -> Result<Vec<Sizes>> {
    let mut sizes = Vec::new();
    for path in files(folder)? {
        let content = fs::read(&path)?;
        let name = path
            .strip_prefix(folder)
            .unwrap_or(&path)
            .display()
            .to_string();
        let raw = content.len();
        if raw <= WORTH_COMPRESSING {
            sizes.push(Sizes {
                name,
                raw,
                gzip: raw,
                brotli: raw,
            });
            continue;
        }
        let gzip = gzip(&content)?;
        let brotli = brotli(&content)?;
        write_beside(&path, "gz", &gzip)?;
        write_beside(&path, "br", &brotli)?;
        sizes.push(Sizes {
            name,
            raw,
            gzip: gzip.len(),
            brotli: brotli.len(),
        });
    }
    Ok(sizes)
}

/// Files that no buyer downloads: types for developers, file names for a shop's backend.
const OTHERS: [&str; 2] = [".d.ts", ".preload.json"];

/// The sizes as a table.
pub(super) fn table(sizes: &[Sizes]) -> String {
    let downloaded = || {
        let files = sizes.iter();
        files.filter(|file| !OTHERS.iter().any(|end| file.name.ends_with(end)))
    };
    let total = Sizes {
        name: "a buyer downloads".to_owned(),
        raw: downloaded().map(|file| file.raw).sum(),
        gzip: downloaded().map(|file| file.gzip).sum(),
        brotli: downloaded().map(|file| file.brotli).sum(),
    };
    let mut table = format!(
        "{:<44} {:>10} {:>10} {:>10}\n",
        "bytes", "raw", "gzip", "brotli"
    );
    for file in sizes.iter().chain([&total]) {
        let Sizes {
            name,
            raw,
            gzip,
            brotli,
        } = file;
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{name:<44} {raw:>10} {gzip:>10} {brotli:>10}");
    }
    table
}

/// The files in a folder and its subfolders, sorted.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn write_beside(path: &Path, extension: &str, content: &[u8]) -> Result<()> {
    let path = path.with_added_extension(extension);
    Ok(fs::write(&path, content)?)
}

fn gzip(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    encoder.finish()
}

fn brotli(content: &[u8]) -> io::Result<Vec<u8>> {
    let settings = BrotliEncoderParams {
        quality: 11,
        size_hint: content.len(),
        ..Default::default()
    };
    let mut encoded = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut encoded, &settings)?;
    Ok(encoded)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn both_encodings_decode_to_the_content() {
        let content = b"amount".repeat(100);
        let mut from_gzip = Vec::new();
        flate2::read::GzDecoder::new(&*gzip(&content).unwrap())
            .read_to_end(&mut from_gzip)
            .unwrap();
        assert_eq!(from_gzip, content);
        let mut from_brotli = Vec::new();
        let encoded = brotli(&content).unwrap();
        brotli::BrotliDecompress(&mut &*encoded, &mut from_brotli).unwrap();
        assert_eq!(from_brotli, content);
        assert!(encoded.len() < 100);
    }

    #[test]
    fn the_total_leaves_out_what_no_buyer_downloads() {
        let file = |name: &str, raw| Sizes {
            name: name.to_owned(),
            raw,
            gzip: raw / 2,
            brotli: raw / 4,
        };
        let table = table(&[
            file("checkout.js", 400),
            file("checkout.d.ts", 4000),
            file("checkout.preload.json", 100),
            file("a.wasm", 800),
        ]);
        let total: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(total, ["a", "buyer", "downloads", "1200", "600", "300"]);
    }
}
