//! Archives that depend on nothing but their contents: sorted names, one time, no owner.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use fs_err as fs;
use tar::{EntryType, Header};

use crate::error::Result;

/// The files of an archive, by their paths in it.
#[derive(Default)]
pub(super) struct Contents(BTreeMap<String, File>);

struct File {
    is_program: bool,
    content: Vec<u8>,
}

impl Contents {
    pub(super) fn text(&mut self, path: &str, text: impl Into<Vec<u8>>) {
        self.insert(path, false, text.into());
    }

    pub(super) fn program(&mut self, path: &str, from: &Path) -> Result<()> {
        self.insert(path, true, read(from)?);
        Ok(())
    }

    pub(super) fn file(&mut self, path: &str, from: &Path) -> Result<()> {
        self.insert(
            path,
            from.extension().is_some_and(|end| end == "sh"),
            read(from)?,
        );
        Ok(())
    }

    /// All files in this folder and its subfolders.
    pub(super) fn folder(&mut self, path: &str, from: &Path) -> Result<()> {
        for entry in fs::read_dir(from)? {
            let entry = entry?.path();
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            let path = format!("{path}/{name}");
            if entry.is_dir() {
                self.folder(&path, &entry)?;
            } else {
                self.file(&path, &entry)?;
            }
        }
        Ok(())
    }

    fn insert(&mut self, path: &str, is_program: bool, content: Vec<u8>) {
        let file = File {
            is_program,
            content,
        };
        self.0.insert(path.to_owned(), file);
    }

    /// Writes a `.tar.gz` with all files in the folder `root`, at this time in seconds since 1970.
    pub(super) fn write(&self, root: &str, time: u64, to: &Path) -> Result<()> {
        Ok(fs::write(to, self.pack(root, time)?)?)
    }

    fn pack(&self, root: &str, time: u64) -> io::Result<Vec<u8>> {
        // Its header has neither a name nor a time.
        let compressed = GzEncoder::new(Vec::new(), Compression::best());
        let mut archive = tar::Builder::new(compressed);
        for (path, file) in &self.0 {
            let mut header = Header::new_gnu();
            header.set_entry_type(EntryType::Regular);
            header.set_size(file.content.len() as u64);
            header.set_mode(if file.is_program { 0o755 } else { 0o644 });
            header.set_uid(0);
            header.set_gid(0);
            header.set_mtime(time);
            archive.append_data(&mut header, format!("{root}/{path}"), &*file.content)?;
        }
        let mut compressed = archive.into_inner()?;
        compressed.flush()?;
        compressed.finish()
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    Ok(fs::read(path)?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use flate2::read::GzDecoder;

    use super::*;

    /// The same files, made in another order and with other permissions.
    fn contents(names: [&str; 3], mode: u32) -> Contents {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::write(&path, name).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let mut contents = Contents::default();
        contents.folder("docs", folder.path()).unwrap();
        let program = folder.path().join(names[0]);
        contents.program("program", &program).unwrap();
        contents.text("a", "text");
        contents
    }

    #[test]
    fn equal_contents_give_equal_bytes() {
        let first = contents(["c", "b/d", "run.sh"], 0o600).pack("root", 7);
        let mut again = contents(["run.sh", "c", "b/d"], 0o777);
        again.text("program", "");
        again.insert("program", true, b"c".into());
        assert_eq!(first.unwrap(), again.pack("root", 7).unwrap());
    }

    #[test]
    fn entries_are_sorted_and_have_no_owner() {
        let packed = contents(["c", "b/d", "run.sh"], 0o600).pack("root", 7);
        let packed = packed.unwrap();
        let mut archive = tar::Archive::new(GzDecoder::new(&*packed));
        let entries = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            assert_eq!(header.mtime().unwrap(), 7);
            let path = entry.path().unwrap().display().to_string();
            (path, header.mode().unwrap())
        });
        let expected = [
            ("root/a", 0o644),
            ("root/docs/b/d", 0o644),
            ("root/docs/c", 0o644),
            ("root/docs/run.sh", 0o755),
            ("root/program", 0o755),
        ];
        let expected = expected.map(|(path, mode)| (path.to_owned(), mode));
        assert_eq!(entries.collect::<Vec<_>>(), expected);
    }
}
