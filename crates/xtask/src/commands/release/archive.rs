//! Archives that depend on nothing but their contents: sorted names, one time, no owner.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

/// Packs a folder into a `.tar.gz`, at this time (RFC 3339), with this option of `gzip`.
pub(super) fn pack(
    sh: &Shell,
    folder: &Path,
    time: &str,
    compression: &str,
    to: &Path,
) -> Result<()> {
    let parent = folder.parent().unwrap_or(folder);
    let name = folder.file_name().unwrap_or_default();
    cmd!(sh, "tar --create --format=gnu --sort=name")
        .args(["--owner=0", "--group=0", "--numeric-owner"])
        .arg("--mode=u=rwX,go=rX")
        .arg(format!("--mtime={time}"))
        .arg(format!(
            "--use-compress-program=gzip --no-name {compression}"
        ))
        .arg("--file")
        .arg(to)
        .arg("--directory")
        .args([parent.as_os_str(), name])
        .run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// The bytes of an archive of these files, which are written in this order and with these permissions, and what `tar`
    /// lists of it.
    fn packed(names: [&str; 3], mode: u32) -> (Vec<u8>, String) {
        let sh = Shell::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        for name in names {
            let path = root.join(name);
            sh.write_file(&path, name).unwrap();
            let mode = if name == "program" {
                mode | 0o100
            } else {
                mode
            };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let archive = folder.path().join("archive.tar.gz");
        pack(&sh, &root, "1970-01-01T00:00:07Z", "--best", &archive).unwrap();
        let list = cmd!(sh, "tar --list --verbose --numeric-owner --utc --full-time").arg("--file");
        let list = list.arg(&archive).read().unwrap();
        (fs::read(&archive).unwrap(), list)
    }

    #[test]
    fn entries_are_sorted_and_have_one_time_and_no_owner() {
        let (bytes, list) = packed(["program", "docs/b", "a"], 0o600);
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<_> = list.lines().map(words).collect();
        let expected = [
            "drwxr-xr-x 0/0 0 1970-01-01 00:00:07 root/",
            "-rw-r--r-- 0/0 1 1970-01-01 00:00:07 root/a",
            "drwxr-xr-x 0/0 0 1970-01-01 00:00:07 root/docs/",
            "-rw-r--r-- 0/0 6 1970-01-01 00:00:07 root/docs/b",
            "-rwxr-xr-x 0/0 7 1970-01-01 00:00:07 root/program",
        ];
        assert_eq!(lines, expected);
        let (others, _) = packed(["a", "program", "docs/b"], 0o664);
        assert_eq!(bytes, others, "equal contents give equal bytes");
    }
}
