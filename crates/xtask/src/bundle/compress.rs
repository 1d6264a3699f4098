//! Compresses the bundle at build time, at the best settings; a proxy only reads files.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use fs_err as fs;

/// Smaller files are not compressed: the additional headers would be larger than what is saved.
const WORTH_COMPRESSING: usize = 256;

/// Writes `<file>.gz` and `<file>.br` next to each file above the minimum size, including subfolders.
pub(crate) fn folder(folder: &Path) -> Result<()> {
    for path in files(folder)? {
        let content = fs::read(&path)?;
        if content.len() > WORTH_COMPRESSING {
            fs::write(path.with_added_extension("gz"), gzip(&content)?)?;
            fs::write(path.with_added_extension("br"), brotli(&content)?)?;
        }
    }
    Ok(())
}

/// The files in a folder and its subfolders, sorted.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
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
}
