//! Tests that the operator's documentation is complete.

use std::fs;
use std::io::Write as _;
use std::process::Command;

use tempfile::TempDir;
use tender_protocol::ProblemCode;
use tender_proxy::config::Settings;

const PAGE: &str = include_str!("../../../../docs/proxy.md");

/// The table row whose first cell contains this word.
fn row(word: &str) -> Vec<&'static str> {
    let word = format!("`{word}`");
    let mut rows = PAGE.lines().filter(|line| line.starts_with('|'));
    let row = rows.find(|row| {
        row.split('|')
            .nth(1)
            .is_some_and(|cell| cell.contains(&word))
    });
    row.unwrap_or_else(|| panic!("no row for {word}"))
        .split('|')
        .map(str::trim)
        .collect()
}

#[test]
fn every_setting_has_a_row_with_its_default() {
    for arg in Settings::args() {
        let row = row(arg.get_id().as_str());
        let help = arg.get_help().unwrap().to_string();
        if let Some((_, default)) = help.split_once("[default: ") {
            let default = default.trim_end_matches(']');
            assert_eq!(row[2].trim_matches('`'), default, "{row:?}");
        }
    }
}

#[test]
fn every_code_has_a_row_with_its_status() {
    for code in ProblemCode::ALL {
        assert_eq!(row(code.as_str())[2], code.status().to_string(), "{code:?}");
    }
}

/// The unit file, checked by systemd.
#[test]
fn the_systemd_unit_is_valid() {
    let page = include_str!("../../../../docs/operations.md");
    let unit = page.split_once("```ini\n").unwrap().1;
    let unit = unit.split_once("```").unwrap().0;
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
        let left_out = "LEFT OUT: the unit, as systemd-analyze is not here\n";
        std::io::stderr().write_all(left_out.as_bytes()).unwrap();
        return;
    };
    assert!(
        verified.status.success() && verified.stderr.is_empty(),
        "{verified:?}"
    );
}
