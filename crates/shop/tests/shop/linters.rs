//! The linter of each language, with its defaults, finds nothing in the examples.

use std::env;
use std::process::{Command, Stdio};

use tender_programs::left_out;
use tender_programs::shops::GO;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Runs a linter. `variable` has its program if `cargo xtask test` has installed it; else `name` is looked for.
fn finds_nothing(variable: &str, name: &str, line: &str) {
    let program = env::var(variable).unwrap_or_else(|_| name.to_owned());
    let run = |line: &str| {
        let mut command = Command::new("sh");
        command.args(["-ec", line]).env("LINTER", &program);
        command.current_dir(EXAMPLES).stdin(Stdio::null()).output()
    };
    if run("command -v \"$LINTER\"").is_ok_and(|found| found.status.success()) {
        let found = run(line).unwrap();
        assert!(found.status.success(), "{name}: {found:?}");
    } else {
        assert!(env::var_os(variable).is_none(), "{name} does not start");
        left_out(&format!("the linter {name}"));
    }
}

#[test]
fn oxlint() {
    finds_nothing("OXLINT", "oxlint", "$LINTER --deny-warnings .");
}

#[test]
fn ruff() {
    finds_nothing("RUFF", "ruff", "$LINTER check --no-cache --isolated .");
}

#[test]
fn rubocop() {
    let line = "$LINTER --force-default-config --cache false shops/ruby";
    finds_nothing("RUBOCOP", "rubocop", line);
}

#[test]
fn ruby() {
    let line =
        r#"for file in shops/ruby/*.rb; do test "$($LINTER -wc $file 2>&1)" = "Syntax OK"; done"#;
    finds_nothing("", "ruby", line);
}

#[test]
fn php() {
    let line = "for file in *.php shops/*/*.php; do $LINTER --syntax-check $file; done";
    finds_nothing("", "php", line);
}

#[test]
fn gofmt() {
    finds_nothing("", "gofmt", r#"test -z "$($LINTER -l shops/go)""#);
}

#[test]
fn go_vet() {
    GO.printed_by("go vet main.go form.go && go vet reconcile.go", "", "");
}
