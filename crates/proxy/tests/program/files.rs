//! Tests of the limit of open files.

use std::fs;
use std::process::Command;

use crate::done::Done;
use crate::support::{Program, without_service};

/// The program, with limits lowered by a shell.
fn limited(limits: &str) -> Command {
    let program = without_service(&["--allow-unsigned-orders", "--database-url=sqlite::memory:"]);
    let mut shell = Command::new("sh");
    shell
        .env_clear()
        .args(["-c", &format!("{limits}; exec \"$@\""), "sh"])
        .arg(program.get_program())
        .args(program.get_args());
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
    assert_eq!(numbers, ["3000", "3000"]);
    let log = program.stop();
    assert!(!log.contains("the proxy may need"), "{log}");
}

#[test]
fn it_warns_if_the_limit_is_too_low() {
    let program = Program::start(limited("ulimit -Sn 256; ulimit -Hn 500"));
    let log = program.stop();
    for words in [
        // 900 connections, 64 creates, 128 other calls, 100 others.
        "1192 open files",
        "allows only 500",
        "LimitNOFILE=",
        "`max_connections`",
    ] {
        assert!(log.contains(words), "{words}\n{log}");
    }
    let checked = Done::of(limited("ulimit -n 500").arg("--check"));
    let warning = "is valid.\nWarning: the proxy may need 1192 open files";
    assert!(checked.is(0).out.contains(warning), "{}", checked.out);
    let enough = [
        "--check",
        "--max-connections=200",
        "--max-streams=100",
        "--trusted-proxies=1",
    ];
    let checked = Done::of(limited("ulimit -n 500").args(enough));
    assert!(!checked.is(0).out.contains("Warning"), "{}", checked.out);
}
