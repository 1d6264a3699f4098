//! Archives that depend on nothing but their contents: sorted names, one time, no owner.

use std::path::Path;
use std::process::Command;

use crate::error::Result;
use crate::workspace::run;

/// Packs a folder into a `.tar.gz`, at this time in seconds since 1970.
pub(super) fn pack(folder: &Path, time: u64, to: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--create", "--format=gnu", "--sort=name"])
        .args(["--owner=0", "--group=0", "--numeric-owner"])
        .arg("--mode=u=rwX,go=rX")
        .arg(format!("--mtime=@{time}"))
        .arg("--use-compress-program=gzip --no-name --best")
        .arg("--file")
        .arg(to)
        .arg("--directory")
        .arg(folder.parent().unwrap_or(folder))
        .arg(folder.file_name().unwrap_or_default());
    run(&mut tar)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// The bytes of an archive of these files, which are written in this order and with these permissions, and what `tar`
    /// lists of it.
    fn packed(names: [&str; 3], mode: u32) -> (Vec<u8>, String) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("docs")).unwrap();
        for name in names {
            let path = root.join(name);
            fs::write(&path, name).unwrap();
            let mode = if name == "program" {
                mode | 0o100
            } else {
                mode
            };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let archive = folder.path().join("archive.tar.gz");
        pack(&root, 7, &archive).unwrap();
        let list = Command::new("tar")
            .args(["--list", "--verbose", "--numeric-owner", "--utc", "--file"])
            .arg(&archive)
            .output();
        let list = String::from_utf8(list.unwrap().stdout).unwrap();
        (fs::read(&archive).unwrap(), list)
    }

    #[test]
    fn equal_contents_give_equal_bytes() {
        let one = packed(["program", "docs/b", "a"], 0o600);
        let other = packed(["a", "program", "docs/b"], 0o664);
        assert_eq!(one.0, other.0);
    }

    #[test]
    fn entries_are_sorted_and_have_one_time_and_no_owner() {
        let (_, list) = packed(["program", "docs/b", "a"], 0o600);
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<_> = list.lines().map(words).collect();
        let expected = [
            "drwxr-xr-x 0/0 0 1970-01-01 00:00 root/",
            "-rw-r--r-- 0/0 1 1970-01-01 00:00 root/a",
            "drwxr-xr-x 0/0 0 1970-01-01 00:00 root/docs/",
            "-rw-r--r-- 0/0 6 1970-01-01 00:00 root/docs/b",
            "-rwxr-xr-x 0/0 7 1970-01-01 00:00 root/program",
        ];
        assert_eq!(lines, expected);
    }
}
