//! Tests of the operator's documentation: the settings, and what it has an operator run.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use clap::{ArgAction, Args as _};
use tempfile::TempDir;
use tender_programs::left_out;
use tender_proxy::config::Config;

use crate::current::is_current;

const GO_LIVE: &str = include_str!("../../../../docs/go-live.md");
const CONFIGURATION: &str = include_str!("../../../../docs/configuration.md");
const OPERATIONS: &str = include_str!("../../../../docs/operations.md");
const RESTORE: &str = include_str!("../../../../docs/restore.md");

fn between(page: &'static str, start: &str, end: &str) -> &'static str {
    let (_, rest) = page.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

/// The tables are made from the declarations in src/config.
#[test]
fn the_tables_of_settings_are_current() {
    let (text, _) = CONFIGURATION.split_once("<!-- settings -->\n").unwrap();
    let current = format!("{text}<!-- settings -->\n{}", settings());
    is_current("docs/configuration.md", &current, "program settings");
}

/// A table for each section.
fn settings() -> String {
    let declared = Config::augment_args(clap::Command::new("settings"));
    let mut lines = Vec::new();
    let mut section = "";
    for setting in declared.get_arguments() {
        let heading = setting.get_help_heading().unwrap();
        if heading != section {
            section = heading;
            lines.push(format!("\n## {section}\n"));
            lines.push("| setting | default | meaning |\n|---|---|---|".to_owned());
        }
        let name = setting.get_id();
        let file = if setting.is_hide_env_values_set() {
            format!(", `{name}_file`")
        } else {
            String::new()
        };
        let default = match setting.get_default_values() {
            [default, ..] => format!("`{}`", default.to_str().unwrap()),
            [] if setting.is_required_set() => "required".to_owned(),
            [] => "none".to_owned(),
        };
        let help = setting.get_help().unwrap();
        let end = match setting.get_action() {
            ArgAction::Append => ". Repeatable",
            _ => "",
        };
        lines.push(format!("| `{name}`{file} | {default} | {help}{end} |"));
    }
    lines.join("\n") + "\n"
}

/// The unit file, checked by systemd.
#[test]
fn the_systemd_unit_is_valid() {
    let unit = between(OPERATIONS, "```ini\n", "```");
    // The program is not installed at the unit's path.
    let unit = unit.replace(
        "/usr/local/bin/tender-proxy",
        env!("CARGO_BIN_EXE_tender-proxy"),
    );
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("tender-proxy.service");
    fs::write(&file, unit).unwrap();
    let verify = Command::new("systemd-analyze")
        .arg("verify")
        .arg(file)
        .output();
    let Ok(verified) = verify else {
        left_out("systemd-analyze, for the unit,");
        return;
    };
    assert!(
        verified.status.success() && verified.stderr.is_empty(),
        "{verified:?}"
    );
}

/// The commands between those of systemd, in other folders. The second time, what the first one has moved away is still there.
#[test]
fn a_backup_can_be_restored_twice() {
    let folder = TempDir::new().unwrap();
    let [data, backup] = ["data", "backup"].map(|name| folder.path().join(name));
    fs::create_dir(&data).unwrap();
    fs::create_dir(&backup).unwrap();
    fs::write(backup.join("tender.db"), "the backup").unwrap();
    let commands = between(RESTORE, "stop tender-proxy\n", "systemctl start");
    let commands = commands
        .replace("/var/lib/tender", data.to_str().unwrap())
        .replace("/backup", backup.to_str().unwrap())
        // Another test runs the program.
        .replace(
            "tender-proxy --config /etc/tender/proxy.toml database restored",
            "touch tender.db-process",
        );
    for _ in 0..2 {
        for file in ["tender.db", "tender.db-wal"] {
            fs::write(data.join(file), "damaged").unwrap();
        }
        let ran = Command::new("sh").args(["-ec", &commands]).output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{ran:?}");
        let restored = fs::read_to_string(data.join("tender.db")).unwrap();
        assert_eq!(restored, "the backup");
        assert!(!data.join("tender.db-wal").exists());
        assert!(data.join("tender.db-process").exists());
    }
}

/// The commands before those of systemd, in another folder than `/etc/tender`.
#[test]
fn the_first_start_begins_with_a_valid_configuration() {
    let folder = TempDir::new().unwrap();
    let etc = folder.path().join("etc");
    // The group of the folder is one of the test's own user.
    let own_group = fs::metadata(&folder).unwrap().gid().to_string();
    let moved = |text: &str| {
        let moved = text.replace("/etc/tender", etc.to_str().unwrap());
        moved.replace("-g tender-keys", &format!("-g {own_group}"))
    };
    let settings = between(GO_LIVE, "```toml\n", "```");
    fs::write(folder.path().join("proxy.toml"), moved(settings)).unwrap();
    let (_, section) = OPERATIONS.split_once("### First start").unwrap();
    let commands = between(section, "```sh\n", "```");

    // Only root can make a group.
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    symlink("/bin/true", bin.join("groupadd")).unwrap();

    let program = Path::new(env!("CARGO_BIN_EXE_tender-proxy"));
    let inherited = env::var_os("PATH").unwrap();
    let path = [bin, program.parent().unwrap().to_owned()];
    let path = env::join_paths(path.into_iter().chain(env::split_paths(&inherited)));
    let mut shell = Command::new("sh");
    shell.args(["-ec", &moved(commands)]).current_dir(&folder);
    shell.env_clear().env("PATH", path.unwrap());
    let ran = shell.output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let printed = String::from_utf8(ran.stdout).unwrap();
    let mut lines = printed.lines();
    assert_eq!(lines.next(), Some("The configuration is valid."));
    // The credential is that of the reader.
    let warnings: Vec<_> = lines.filter(|line| line.starts_with("Warning: ")).collect();
    let [placeholder] = warnings[..] else {
        panic!("{printed}");
    };
    assert!(
        placeholder.contains("a placeholder as the value of `x-credential`"),
        "{placeholder}"
    );
    // Nobody else can enter the folder, and what is made in it later has its group.
    let mode = fs::metadata(&etc).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o2750);
    let unit = between(OPERATIONS, "```ini\n", "```");
    assert!(unit.contains("\nSupplementaryGroups=tender-keys\n"));
    for setting in ["LoadCredential", "Environment"] {
        assert!(
            !unit.contains(setting),
            "{setting}: the commands would not know it"
        );
    }
}
