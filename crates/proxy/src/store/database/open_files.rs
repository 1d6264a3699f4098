//! Notices when a file of an open SQLite database was deleted, moved or replaced, or its write-ahead log
//! truncated. SQLite does not: it goes on with the open files, whose content is lost when the process ends.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{DatabaseError, Error, Result};

/// Length of the log's header and of the header of each frame, in bytes:
/// <https://sqlite.org/fileformat2.html#walformat>.
const LOG_HEADER: u64 = 32;
const FRAME_HEADER: u64 = 24;

/// Only counts the log's frames.
const NO_CHECKPOINT: &str = "PRAGMA main.wal_checkpoint(NOOP)";

/// Copies the log's frames to the database, without waiting for other connections.
const CHECKPOINT: &str = "PRAGMA main.wal_checkpoint(PASSIVE)";

/// The files that SQLite has open while any connection is: other programs neither delete nor replace
/// them if they access the database through SQLite.
pub(super) struct OpenFiles {
    database: OpenFile,
    /// The write-ahead log, with the commits that are not in the database yet.
    log: OpenFile,
    /// The log's index, through which other programs see locks.
    index: OpenFile,
    /// Length of the log's frames, in bytes.
    frame: u64,
}

/// A file that SQLite has open.
pub(super) struct OpenFile {
    path: PathBuf,
    id: FileId,
}

/// Identifies a file whatever its name: its device and inode. Where there are none, such as on Windows,
/// an open file can't be deleted or moved.
#[derive(PartialEq)]
struct FileId(#[cfg(unix)] u64, #[cfg(unix)] u64);

impl OpenFiles {
    /// The files of the connection, which has begun a transaction: SQLite has created the log.
    pub(super) fn new(database: OpenFile, connection: &Connection) -> Result<Self, DatabaseError> {
        // SQLite follows symbolic links before it appends the suffixes.
        let path = database.path.canonicalize()?;
        let beside = |suffix| {
            let mut name = path.clone().into_os_string();
            name.push(suffix);
            OpenFile::new(Path::new(&name))
        };
        let page: u32 = connection
            .pragma_query_value(Some("main"), "page_size", |row| row.get(0))
            .map_err(Error::from)?;
        Ok(Self {
            log: beside("-wal")?,
            index: beside("-shm")?,
            frame: FRAME_HEADER + u64::from(page),
            database,
        })
    }

    /// Checks that the paths still name the open files, and that the log has all its frames.
    pub(super) fn check(&self, connection: &Connection) -> Result<()> {
        let Self {
            database,
            log,
            index,
            frame,
        } = self;
        if database.metadata().is_none() {
            return Err(Error::FileGone(database.path.clone()));
        }
        // Read before the length, because another program's checkpoint may empty the log meanwhile.
        let (frames, _) = checkpoint(connection, NO_CHECKPOINT)?;
        let Some(found) = log.metadata() else {
            // The log is still open, but its commits would be lost when the process ends.
            let (frames, copied) = checkpoint(connection, CHECKPOINT)?;
            let error = if copied < frames {
                Error::Busy
            } else {
                log.gone()
            };
            return Err(error);
        };
        if index.metadata().is_none() {
            return Err(index.gone());
        }
        if frames > 0 && found.len() < LOG_HEADER + u64::from(frames) * frame {
            return Err(Error::LogTruncated(log.path.clone()));
        }
        Ok(())
    }
}

/// Returns the number of frames in the log, and of those that were copied to the database.
fn checkpoint(connection: &Connection, sql: &str) -> Result<(u32, u32)> {
    let mut checkpoint = connection.prepare_cached(sql)?;
    Ok(checkpoint.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))?)
}

impl OpenFile {
    /// The file that SQLite has just opened by this path.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            id: FileId::of(&std::fs::metadata(path)?),
        })
    }

    fn gone(&self) -> Error {
        Error::LogGone(self.path.clone())
    }

    /// The file's metadata, if the path still names it. Does not open the file: closing it would
    /// release SQLite's locks on it.
    fn metadata(&self) -> Option<Metadata> {
        let found = std::fs::metadata(&self.path).ok()?;
        (FileId::of(&found) == self.id).then_some(found)
    }
}

impl FileId {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Self(metadata.dev(), metadata.ino())
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Self()
        }
    }
}
