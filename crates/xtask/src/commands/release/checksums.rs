//! `SHA256SUMS`: the digests of all files of a release, as `sha256sum --check` reads them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use sha2::{Digest as _, Sha256};

use crate::error::Result;

pub(super) const NAME: &str = "SHA256SUMS";

/// Writes the digests of these files into their folder.
pub(super) fn write(folder: &Path, files: &[PathBuf]) -> Result<()> {
    let mut lines = String::new();
    let mut files: Vec<_> = files.iter().collect();
    files.sort_unstable();
    for file in files {
        let content = fs::read(file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{}  {name}", hex::encode(Sha256::digest(content)));
    }
    let sums = folder.join(NAME);
    Ok(fs::write(&sums, lines)?)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn sha256sum_accepts_the_files_and_notices_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["b.tgz", "a.tar.gz"].map(|name| folder.path().join(name));
        for file in &files {
            fs::write(file, "content").unwrap();
        }
        write(folder.path(), &files).unwrap();
        let check = || {
            let mut sha256sum = Command::new("sha256sum");
            sha256sum.args(["--check", "--strict", NAME]);
            sha256sum.current_dir(&folder).output().unwrap()
        };
        assert_eq!(check().stdout, b"a.tar.gz: OK\nb.tgz: OK\n");
        fs::write(&files[0], "other").unwrap();
        assert!(!check().status.success());
    }
}
