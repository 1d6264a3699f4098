//! Tests of warnings: settings that contradict each other, and a refused origin.

use std::fs;
use std::process::Command;

use axum::http::StatusCode;
use tempfile::TempDir;
use tender_protocol::path;
use tender_sandbox::{Config, Sandbox};

use crate::support::{Program, command};

/// A proxy with more event streams than connections, and two keys with the same `kid`.
fn contradictory(base_url: &str, rates_base_url: &str) -> Command {
    let mut command = command();
    command
        .args(["--base-url", base_url, "--rates-base-url", rates_base_url])
        .args(["--trusted-proxies=1", "--database-url=sqlite::memory:"])
        .args(["--max-streams=1000", "--max-connections=900"])
        .args(["--order-key", "a=0123456789abcdef0123456789abcdef"])
        .args(["--order-key", "a=fedcba9876543210fedcba9876543210"]);
    command
}

const WARNINGS: [&str; 2] = [
    "more than one key has the kid `a`",
    "`max_streams` (1000) is not below `max_connections` (900)",
];

#[test]
fn the_check_warns_of_contradictions() {
    let mut command = contradictory("http://127.0.0.1:9", "http://127.0.0.1:9");
    let output = command.arg("--check").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let output = String::from_utf8(output.stdout).unwrap();
    let warned = output.lines().skip(1);
    let warned: Vec<_> = warned
        .map(|line| line.strip_prefix("Warning: ").unwrap())
        .collect();
    assert_eq!(warned.len(), WARNINGS.len(), "{output}");
    for (line, warning) in warned.into_iter().zip(WARNINGS) {
        assert!(line.starts_with(warning) && line.ends_with('.'), "{line}");
    }
}

#[tokio::test]
async fn contradictions_are_logged_at_startup() {
    let sandbox = Sandbox::start(Config::on_free_ports()).await.unwrap();
    let program = Program::start(contradictory(sandbox.base_url(), sandbox.rates_base_url()));
    program.terminate();
    let (_, log) = program.end();
    for warning in WARNINGS {
        assert_eq!(log.matches(warning).count(), 1, "{warning}: {log}");
    }
}

#[test]
fn a_key_with_two_purposes_is_an_error() {
    let key = "0123456789abcdef0123456789abcdef";
    let mut command = contradictory("http://127.0.0.1:9", "http://127.0.0.1:9");
    let output = command
        .args(["--check", "--webhook-secret", key])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.starts_with("`order_key` and `webhook_secret` have a key in common"),
        "{errors}"
    );
    assert!(!errors.contains(key), "{errors}");
}

#[tokio::test]
async fn contradictions_are_logged_at_each_reload() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("proxy.toml");
    let write = |keys: &str| {
        let service = "http://127.0.0.1:9";
        let settings = format!("base_url = {service:?}\nrates_base_url = {service:?}\n{keys}");
        fs::write(&path, settings).unwrap();
    };
    let [first, second] = ["0123456789abcdef", "fedcba9876543210"].map(|half| half.repeat(2));
    write(&format!("order_key = \"a={first}\""));
    let mut command = command();
    command.arg("--config").arg(&path);
    let program = Program::start(command);
    write(&format!("order_key = [\"a={first}\", \"a={second}\"]"));
    program.reload();
    program.until_logged("reloaded the keys").await;
    program.terminate();
    let (_, log) = program.end();
    assert_eq!(log.matches(WARNINGS[0]).count(), 1, "{log}");
}

#[tokio::test]
async fn a_refused_origin_is_logged_once_a_minute() {
    let service = "http://127.0.0.1:9";
    let mut command = command();
    command
        .args(["--base-url", service, "--rates-base-url", service])
        .args(["--allow-unsigned-orders", "--database-url=sqlite::memory:"]);
    let program = Program::start(command);
    for _ in 0..3 {
        let request = reqwest::Client::new().get(program.url(path::TOKENS));
        let answer = request.header("origin", "http://localhost:3000").send();
        assert_eq!(answer.await.unwrap().status(), StatusCode::FORBIDDEN);
    }
    program.terminate();
    let (_, log) = program.end();
    let told = "refuses requests from http://localhost:3000. It allows only its own.";
    assert_eq!(log.matches(told).count(), 1, "{log}");
}
