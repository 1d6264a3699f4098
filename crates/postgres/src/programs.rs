//! Finds PostgreSQL's programs.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Debian installs the server's programs here, in one directory per version, and not on `PATH`.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The directories to search: those of `PATH`, then the distribution's, newest version first.
#[must_use]
pub fn folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(DEBIAN)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    versions.sort();
    let newest_first = versions.into_iter().rev().map(|(_, folder)| folder);
    env::split_paths(&path).chain(newest_first).collect()
}

pub(crate) fn program(name: &'static str) -> Result<PathBuf, Error> {
    let there = |folder: PathBuf| Some(folder.join(name)).filter(|path| Path::is_file(path));
    folders()
        .into_iter()
        .find_map(there)
        .ok_or(Error::NotInstalled(name))
}
