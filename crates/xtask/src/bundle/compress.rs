//! Compresses the bundle at build time, at the best settings; a proxy only reads files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use fs_err as fs;
use xshell::{Shell, cmd};

/// Smaller files are not compressed: the additional headers would be larger than what is saved.
const WORTH_COMPRESSING: u64 = 256;

/// A program for Node.js, which has both encodings. In Rust, they would be compiled before everything else, for half a minute.
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bundle/compress.mjs");

/// Writes `<file>.gz` and `<file>.br` next to each file above the minimum size, including subfolders.
pub(crate) fn folder(sh: &Shell, folder: &Path) -> Result<()> {
    let mut worth_it = Vec::new();
    for path in files(folder)? {
        if fs::metadata(&path)?.len() > WORTH_COMPRESSING {
            worth_it.push(path);
        }
    }
    Ok(cmd!(sh, "node {PROGRAM} {worth_it...}").quiet().run()?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_decode_to_the_content_of_files_that_are_worth_it() {
        let sh = Shell::new().unwrap();
        let bundle = tempfile::tempdir().unwrap();
        let content = "amount".repeat(100);
        let [large, small] =
            ["locales/large.json", "small.js"].map(|name| bundle.path().join(name));
        sh.write_file(&large, &content).unwrap();
        sh.write_file(&small, "amount".repeat(42)).unwrap();
        folder(&sh, bundle.path()).unwrap();

        let gzip = large.with_added_extension("gz");
        assert_eq!(
            cmd!(sh, "gzip --decompress --stdout {gzip}")
                .read()
                .unwrap(),
            content
        );
        let brotli = large.with_added_extension("br");
        assert!(fs::metadata(&brotli).unwrap().len() < 100);
        let decode =
            "process.stdout.write(zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])))";
        assert_eq!(
            cmd!(sh, "node --eval {decode} {brotli}").read().unwrap(),
            content
        );
        assert_eq!(files(bundle.path()).unwrap(), [large, brotli, gzip, small]);
    }
}
