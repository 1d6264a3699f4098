//! Tests of starting, and of signals while the program starts and runs.

use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use axum::http::StatusCode;
use reqwest::Client;
use serde_json::json;
use tempfile::TempDir;
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::done::Done;
use crate::support::{Process, Program, sandbox, with_sandbox, without_service};

/// A program that has not started yet.
fn starting(directory: &Path, flags: &[&str]) -> Process {
    let mut command = without_service(&["--listen=127.0.0.1:0", "--allow-unsigned-orders"]);
    command.current_dir(directory).args(flags);
    Process(command.stderr(Stdio::null()).spawn().unwrap())
}

/// The exit code; `None` if a signal has killed the program.
fn exit_code(mut program: Process) -> Option<i32> {
    program.0.wait().unwrap().code()
}

#[test]
fn sigterm_ends_a_start_that_waits_for_the_database() {
    let directory = TempDir::new().unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let database = format!(
        "--database-url=postgres://me@{}/a",
        silent.local_addr().unwrap()
    );
    for signal in ["-TERM", "-INT"] {
        let program = starting(directory.path(), &[&database]);
        let _connection = silent.accept().unwrap();
        program.signal(signal);
        assert_eq!(exit_code(program), Some(0), "{signal}");
    }
}

#[test]
fn sighup_does_not_end_a_program_that_reads_its_configuration() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("proxy.toml");
    Done::of(Command::new("mkfifo").arg(&path)).is(0);
    let program = starting(directory.path(), &["--config=proxy.toml"]);
    // This waits until the program reads the file.
    let _writer = File::options().write(true).open(path).unwrap();
    program.signal("-HUP");
    program.signal("-TERM");
    assert_eq!(exit_code(program), Some(0));
}

/// A process that was killed has released the file.
#[test]
fn a_second_process_on_a_sqlite_file_does_not_start() {
    let directory = TempDir::new().unwrap();
    let database = format!(
        "--database-url=sqlite:{}/tender.db",
        directory.path().display()
    );
    let serve = || without_service(&["--allow-unsigned-orders", &database]);
    for _ in 0..2 {
        let first = Program::start(serve());
        // Without the refusal it would end because of the address, too.
        let taken = first.url("").replace("http://", "--listen=");
        let second = Done::of(serve().arg(taken));
        second
            .is(1)
            .reports("tender.db")
            .reports("in use by another tender-proxy")
            .reports("stop that one")
            .reports("PostgreSQL");
        // Dropping it kills it.
        drop(first);
    }
}

#[tokio::test]
async fn sigterm_waits_for_requests_in_progress() {
    let sandbox = sandbox().await;
    let program = Program::start(with_sandbox(&sandbox, &["--allow-unsigned-orders"]));
    // The database is at the documented path.
    assert!(program.directory().join("tender.db").is_file());

    let slow = Fault::new(Outcome::Handle).delay_ms(500);
    sandbox.controls().inject(slow);
    let order =
        json!({ "token": "btc", "quantity": 1, "paymentToken": "btc", "invoiceNumber": "I" });
    let request = Client::new().post(program.url(path::PAYMENT)).json(&order);
    let buyer = tokio::spawn(request.send());
    let calls = || sandbox.controls().state().requests;
    while !calls().contains_key(&Endpoint::Create) {
        tokio::task::yield_now().await;
    }
    program.terminate();
    assert_eq!(buyer.await.unwrap().unwrap().status(), StatusCode::OK);
    let (status, log) = program.end();
    assert!(status.success(), "{log}");
}

#[test]
fn a_failed_start_says_why() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let free = "127.0.0.1:0";
    for (listen, database, words) in [
        (&*address, "sqlite::memory:", ["can't listen on", &*address]),
        (
            free,
            "sqlite:/nowhere/a.db",
            ["can't use SQLite in /nowhere/a.db", "`database_url`"],
        ),
        (
            free,
            "postgres://me:hunter2@127.0.0.1:1/a",
            [
                "can't use PostgreSQL",
                "check that the server runs, and its address, password and `sslrootcert` in `database_url`",
            ],
        ),
    ] {
        let mut command = without_service(&["--allow-unsigned-orders"]);
        let done = Done::of(command.args(["--listen", listen, "--database-url", database]));
        done.is(1).reports(words[0]).reports(words[1]);
        assert!(!done.err.contains("hunter2"), "{}", done.err);
    }
}
