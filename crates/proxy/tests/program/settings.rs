//! Tests of flags, environment variables and the configuration file.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use tempfile::TempDir;
use tender_proxy::config::flags;

use crate::bad_settings::BAD;
use crate::done::Done;
use crate::support::command;

pub(crate) const KEY: &str = "0123456789abcdef0123456789abcdef";

/// The required settings, as flags.
const NEEDED: [(&str, &str); 3] = [
    ("base_url", "https://pay.example"),
    ("rates_base_url", "https://rates.example"),
    ("allow_unsigned_orders", "true"),
];

pub(crate) fn flag(name: &str, value: &str) -> String {
    format!("--{}={value}", name.replace('_', "-"))
}

fn variable(name: &str) -> String {
    format!("TENDER_{}", name.to_uppercase())
}

pub(crate) fn check(name: &str) -> Command {
    let mut command = command();
    let needed = NEEDED.into_iter().filter(|(needed, _)| *needed != name);
    command
        .arg("--check")
        .args(needed.map(|(name, value)| flag(name, value)));
    command
}

pub(crate) fn file(directory: &TempDir, content: &str) -> String {
    let path = directory.path().join("proxy.toml");
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The error messages, one per line.
#[track_caller]
pub(crate) fn complaints(command: &mut Command) -> Vec<String> {
    let done = Done::of(command);
    done.is(2).err.lines().map(str::to_owned).collect()
}

/// The only error message.
#[track_caller]
pub(crate) fn complaint(command: &mut Command) -> String {
    let complaints = complaints(command);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    complaints.concat()
}

#[track_caller]
pub(crate) fn is_good(command: &mut Command) {
    Done::of(command).is(0);
}

#[test]
fn every_setting_is_tested_below() {
    let declared = flags();
    let declared: BTreeSet<_> = declared.iter().map(|flag| flag.get_id().as_str()).collect();
    let tested: BTreeSet<_> = BAD.iter().map(|(name, _)| *name).collect();
    assert!(
        declared == tested,
        "`BAD` lacks {:?}, and has {:?} besides",
        &declared - &tested,
        &tested - &declared
    );
}

#[test]
fn a_status_has_one_meaning() {
    let lists = [
        "status_pending",
        "status_underpaid",
        "status_paid",
        "status_closed",
    ];
    for (number, first) in lists.iter().enumerate() {
        is_good(check("").args([flag(first, "Done"), flag(first, "2")]));
        for second in &lists[number + 1..] {
            let mapped = [flag(first, "2"), flag(first, "Done"), flag(second, "Done")];
            let expected =
                format!("`Done` is in `{first}` and in `{second}`; remove it from one of them");
            assert_eq!(complaint(check("").args(mapped)), expected);
        }
    }
}

#[test]
fn a_blank_value_counts_as_not_set() {
    let directory = TempDir::new().unwrap();
    let blank = file(&directory, "listen = \" \"\nallow_origin = [\"\"]");
    is_good(check("").args(["--config", &blank]));
    is_good(
        check("")
            .env("TENDER_LISTEN", "")
            .env("TENDER_ORDER_KEY", "\n"),
    );
    is_good(check("").args(["--listen=", "--order-key= "]));
    // The file applies where the variable is blank.
    let bad = file(&directory, "listen = \"bad\"");
    let complaint = complaint(check("").args(["--config", &bad]).env("TENDER_LISTEN", ""));
    assert!(complaint.starts_with("`listen`"), "{complaint}");
}

#[test]
fn every_setting_has_one_name_in_flag_environment_and_file() {
    let directory = TempDir::new().unwrap();
    for &(name, bad) in BAD {
        let path = file(&directory, &format!("{name} = {bad:?}"));
        for command in [
            check(name).arg(flag(name, bad)),
            check(name).env(variable(name), bad),
            check(name).args(["--config", &path]),
            check(name).env("TENDER_CONFIG", &path),
        ] {
            let complaints = complaints(command);
            assert!(
                complaints[0].starts_with(&format!("`{name}`")),
                "{complaints:?}"
            );
            assert!(
                complaints[0].contains("; ") || complaints[0].contains(": "),
                "{complaints:?}"
            );
        }
    }
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let directory = TempDir::new().unwrap();
    for (name, good) in [
        ("first_page", "0"),
        ("allow_origin", "https://shop.example"),
    ] {
        let path = file(&directory, &format!("{name} = \"bad\""));
        for (of_environment, of_flag) in [
            (None, None),
            (Some(good), None),
            (Some("bad"), Some(good)),
            (Some("bad"), None),
        ] {
            let mut command = check(name);
            command.args(["--config", &path]);
            command.envs(of_environment.map(|value| (variable(name), value)));
            command.args(of_flag.map(|value| flag(name, value)));
            if of_flag.or(of_environment) == Some(good) {
                is_good(&mut command);
            } else {
                complaint(&mut command);
            }
        }
    }
}

#[test]
fn repeatable_settings_are_flags_lines_or_lists() {
    let directory = TempDir::new().unwrap();
    let list = file(
        &directory,
        &format!("merchant_key = [\"{KEY}\", \"short\", \"{KEY}\"]"),
    );
    for command in [
        check("").args([KEY, "short", KEY].map(|key| flag("merchant_key", key))),
        check("").env(
            "TENDER_MERCHANT_KEY",
            format!("\n{KEY}\n  short\r\n{KEY}\n\n"),
        ),
        check("").args(["--config", &list]),
    ] {
        assert!(complaint(command).starts_with("`merchant_key`"));
    }
    is_good(check("").env("TENDER_MERCHANT_KEY", format!("{KEY}\n{KEY}")));
    let twice = ["1", "2"].map(|page| flag("first_page", page));
    let done = Done::of(check("").args(twice));
    done.is(2).reports("cannot be used multiple times");
}

#[test]
fn the_file_uses_toml_types() {
    let directory = TempDir::new().unwrap();
    let good = file(
        &directory,
        "base_url = \"https://pay.example\"\nrates_base_url = \"https://rates.example\"\n\
         allow_unsigned_orders = true\nfirst_page = 0\nallow_origin = \"*\"\nlisten = \"\"\n",
    );
    is_good(command().args(["--check", "--config", &good]));
    for (content, expected) in [
        ("base_urls = \"x\"", "`base_urls`"),
        (
            "base-url = \"x\"",
            "`base-url` in the configuration file is not a setting; write `base_url` if",
        ),
        (
            "[server]",
            "`server` in the configuration file is a section, and there are none",
        ),
        ("first_page = 1.5", "`first_page`"),
        ("first_page = [1]", "`first_page`"),
        ("[listen]", "`listen`"),
        ("# one\n\nlisten = ", "line 3"),
    ] {
        let path = file(&directory, content);
        let told = complaint(check("").args(["--config", &path]));
        assert!(told.contains(expected), "{told}");
    }
    // Together with those of other settings.
    let path = file(
        &directory,
        "base-url = \"x\"\nlist_orders = \"x\"\nfirst_page = \"x\"",
    );
    let all = complaints(check("").args(["--config", &path]));
    assert_eq!(all.len(), 3, "{all:?}");
    let none = complaint(check("").args(["--config", "/nowhere"]));
    assert!(none.starts_with("`config` names /nowhere"), "{none}");
}

#[test]
fn all_errors_are_reported_at_once() {
    let complaints = complaints(command().args(["--check", "--first-page=x"]));
    let named: Vec<_> = complaints
        .iter()
        .filter_map(|line| line.split('`').nth(1))
        .collect();
    assert_eq!(
        named,
        ["base_url", "rates_base_url", "first_page", "order_key"]
    );
}

#[test]
fn a_boolean_flag_can_be_turned_off() {
    let off = flag("allow_unsigned_orders", "false");
    complaint(check("allow_unsigned_orders").arg(off));
}
