//! Notices when the file of an open SQLite database was deleted, moved or replaced. SQLite does not: it
//! goes on with the open file, whose content is lost when the process ends.

use std::io;
use std::path::{Path, PathBuf};

use super::{Error, Result};

/// A file that SQLite has open.
pub(super) struct OpenFile {
    path: PathBuf,
    id: FileId,
}

/// Identifies a file whatever its name: its device and inode. Where there are none, such as on Windows,
/// an open file can't be deleted or moved.
#[derive(PartialEq)]
struct FileId(#[cfg(unix)] u64, #[cfg(unix)] u64);

impl OpenFile {
    /// The file that SQLite has just opened by this path.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            id: FileId::of(path)?,
        })
    }

    /// Checks that the path still names the open file.
    pub(super) fn check(&self) -> Result<()> {
        match FileId::of(&self.path) {
            Ok(id) if id == self.id => Ok(()),
            _ => Err(Error::FileGone(self.path.clone())),
        }
    }
}

impl FileId {
    /// Does not open the file: closing it would release SQLite's locks on it.
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = std::fs::metadata(path)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Ok(Self(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Ok(Self())
        }
    }
}
