//! Tests of signals while the program starts.

use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::support::{Program, command};

/// A program that has not started yet. It is killed when the test ends.
struct Starting(Child);

impl Starting {
    fn new(directory: &Path, flags: &[&str]) -> Self {
        let urls = [
            "--base-url=http://127.0.0.1:1",
            "--rates-base-url=http://127.0.0.1:1",
        ];
        let mut command = command();
        let command = command.current_dir(directory).args(urls).args(flags);
        let command = command.args(["--listen=127.0.0.1:0", "--allow-unsigned-orders"]);
        Self(command.stderr(Stdio::null()).spawn().unwrap())
    }

    fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// The exit code; `None` if a signal has killed the program.
    fn exit_code(&mut self) -> Option<i32> {
        self.0.wait().unwrap().code()
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
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
        let mut program = Starting::new(directory.path(), &[&database]);
        let _connection = silent.accept().unwrap();
        program.signal(signal);
        assert_eq!(program.exit_code(), Some(0), "{signal}");
    }
}

#[test]
fn sighup_does_not_end_a_program_that_reads_its_configuration() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("proxy.toml");
    assert!(
        Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap()
            .success()
    );
    let mut program = Starting::new(directory.path(), &["--config=proxy.toml"]);
    // This waits until the program reads the file.
    let _writer = File::options().write(true).open(path).unwrap();
    program.signal("-HUP");
    program.signal("-TERM");
    assert_eq!(program.exit_code(), Some(0));
}

/// A process that was killed has released the file.
#[test]
fn a_second_process_on_a_sqlite_file_does_not_start() {
    let directory = TempDir::new().unwrap();
    let database = format!(
        "--database-url=sqlite:{}/tender.db",
        directory.path().display()
    );
    let serve = || {
        let mut command = command();
        command.args([
            "--base-url=http://127.0.0.1:1",
            "--rates-base-url=http://127.0.0.1:1",
        ]);
        command.args(["--allow-unsigned-orders", &database]);
        command
    };
    for _ in 0..2 {
        let first = Program::start(serve());
        // Without the refusal it would end because of the address, too.
        let taken = first.url("").replace("http://", "--listen=");
        let second = serve().arg(taken).output().unwrap();
        assert_eq!(second.status.code(), Some(1));
        let log = String::from_utf8(second.stderr).unwrap();
        for text in [
            "tender.db",
            "in use by another tender-proxy",
            "stop that one",
            "PostgreSQL",
        ] {
            assert!(log.contains(text), "{log}");
        }
        // Dropping it kills it.
        drop(first);
    }
}
