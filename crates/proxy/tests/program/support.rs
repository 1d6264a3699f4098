//! Test support for running the program.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use jsonwebtoken::{EncodingKey, Header, encode, get_current_timestamp};
use serde_json::Value;
use tempfile::TempDir;
use tender_sandbox::{Config, Sandbox};

/// The variables that HTTP clients read the address of a proxy from.
pub(crate) const PROXY_VARIABLES: [&str; 6] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
];

/// Longer than anything takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// The program in a clean environment.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tender-proxy"));
    command.env_clear();
    command
}

/// The program with the addresses of the service, and with these arguments.
pub(crate) fn with_service(base_url: &str, rates_base_url: &str, arguments: &[&str]) -> Command {
    let mut command = command();
    command.args(["--base-url", base_url]);
    command.args(["--rates-base-url", rates_base_url]);
    command.args(arguments);
    command
}

pub(crate) async fn sandbox() -> Sandbox {
    Sandbox::start(Config::on_free_ports()).await.unwrap()
}

/// When an order expires that is signed now.
pub(crate) fn in_an_hour() -> u64 {
    get_current_timestamp() + 3600
}

/// An order with these claims.
pub(crate) fn sign(claims: &Value, key: &str) -> String {
    let key = EncodingKey::from_secret(key.as_bytes());
    encode(&Header::default(), claims, &key).unwrap()
}

/// The program with the sandbox as its service.
pub(crate) fn with_sandbox(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    with_service(sandbox.base_url(), sandbox.rates_base_url(), arguments)
}

/// The program with a service that can't be reached.
pub(crate) fn without_service(arguments: &[&str]) -> Command {
    with_service("http://127.0.0.1:9", "http://127.0.0.1:9", arguments)
}

/// A running program.
pub(crate) struct Program {
    process: Process,
    directory: TempDir,
    address: String,
    reading: JoinHandle<()>,
    /// What the program has logged so far.
    log: Arc<Mutex<String>>,
}

impl Program {
    /// Starts the program on a free port, in an empty working directory, and waits until it
    /// listens.
    pub(crate) fn start(mut command: Command) -> Self {
        let directory = TempDir::new().unwrap();
        let command = command
            .current_dir(&directory)
            .args(["--listen", "127.0.0.1:0"])
            .stderr(Stdio::piped());
        let mut process = Process(command.spawn().unwrap());
        let mut lines = BufReader::new(process.0.stderr.take().unwrap())
            .lines()
            .map(Result::unwrap);
        let log = Arc::new(Mutex::new(String::new()));
        let keep = Arc::clone(&log);
        let keep = move |line: &str| {
            let mut log = keep.lock().unwrap();
            log.push_str(line);
            log.push('\n');
        };
        let address = loop {
            let line = lines.next().expect("the program listens");
            keep(&line);
            if let Some((_, rest)) = line.split_once("127.0.0.1:") {
                let end = rest.find(|other: char| !other.is_ascii_digit());
                break format!("http://127.0.0.1:{}", &rest[..end.unwrap_or(rest.len())]);
            }
        };
        // Keep reading, because the program blocks when the pipe of its log is full.
        let reading = std::thread::spawn(move || lines.for_each(|line| keep(&line)));
        Self {
            process,
            directory,
            address,
            reading,
            log,
        }
    }

    /// The working directory.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.process.0.id()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// What the program has logged so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits until the program has logged this text.
    pub(crate) async fn until_logged(&self, text: &str) {
        let logged = async {
            while !self.log.lock().unwrap().contains(text) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, logged).await.unwrap();
    }

    /// Sends SIGTERM, as a supervisor does.
    pub(crate) fn terminate(&self) {
        self.process.signal("-TERM");
    }

    /// Ends the program without an error, as a supervisor does. Returns its log.
    pub(crate) fn stop(self) -> String {
        self.terminate();
        let (status, log) = self.end();
        assert!(status.success(), "{log}");
        log
    }

    /// Sends SIGHUP, which reloads the configuration.
    pub(crate) fn reload(&self) {
        self.process.signal("-HUP");
    }

    /// Waits for the program. Returns its exit status and its log.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        let status = self.process.0.wait().unwrap();
        self.reading.join().unwrap();
        let log = self.log.lock().unwrap().clone();
        (status, log)
    }
}

/// A process that is killed when the test ends.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    pub(crate) fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
