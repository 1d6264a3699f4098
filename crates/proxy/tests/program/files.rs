//! Tests of the limit of open files.

use std::fs;
use std::process::Command;

use crate::support::{Program, without_service};

/// The program, with limits lowered by a shell.
fn limited(limits: &str) -> Command {
    let program = without_service();
    let mut shell = Command::new("sh");
    shell
        .env_clear()
        .args(["-c", &format!("{limits}; exec \"$@\""), "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .args(["--allow-unsigned-orders", "--database-url=sqlite::memory:"]);
    shell
}

#[cfg(target_os = "linux")]
#[test]
fn it_raises_its_own_limit() {
    let program = Program::start(limited("ulimit -Sn 256; ulimit -Hn 3000"));
    let limits = fs::read_to_string(format!("/proc/{}/limits", program.id())).unwrap();
    let files = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let numbers: Vec<_> = files.unwrap().split_whitespace().skip(3).take(2).collect();
    // 900 connections, 64 creates, 100 others.
    assert_eq!(numbers, ["1064", "3000"]);
    program.terminate();
    let (_, log) = program.end();
    assert!(!log.contains("the proxy may need"), "{log}");
}

#[test]
fn it_warns_if_the_limit_is_too_low() {
    let program = Program::start(limited("ulimit -Sn 256; ulimit -Hn 500"));
    program.terminate();
    let (status, log) = program.end();
    assert!(status.success(), "{log}");
    for words in [
        "1064 open files",
        "allows only 500",
        "LimitNOFILE=",
        "`max_connections`",
    ] {
        assert!(log.contains(words), "{words}\n{log}");
    }
    let checked = limited("ulimit -n 500").arg("--check").output().unwrap();
    assert!(checked.status.success());
    let output = String::from_utf8(checked.stdout).unwrap();
    assert!(
        output.contains("is valid.\nWarning: the proxy may need 1064 open files"),
        "{output}"
    );
    let enough = [
        "--check",
        "--max-connections=300",
        "--max-streams=200",
        "--trusted-proxies=1",
    ];
    let checked = limited("ulimit -n 500").args(enough).output().unwrap();
    assert_eq!(checked.stdout, b"The configuration is valid.\n");
}
