//! A server that runs beside a test.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::sleep;

/// The file with the output of the program, in its folder.
const OUTPUT: &str = "output.log";

const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A running server. Dropping it stops the program; its output is shown if the test fails.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    process: Child,
    folder: TempDir,
}

impl Server {
    /// Runs this command in this folder, and waits until the program listens at this address.
    pub async fn start(address: SocketAddr, folder: TempDir, command: &mut Command) -> Self {
        let output = File::create(folder.path().join(OUTPUT)).unwrap();
        let process = command
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn()
            .unwrap_or_else(|error| panic!("can't start {command:?}: {error}"));
        let mut server = Self {
            address,
            process,
            folder,
        };
        while TcpStream::connect(address).await.is_err() {
            server.must_run(command);
            sleep(POLL_INTERVAL).await;
        }
        // Otherwise another program listens there.
        server.must_run(command);
        server
    }

    fn must_run(&mut self, command: &Command) {
        let ended = self.process.try_wait().unwrap();
        assert!(ended.is_none(), "{command:?} ended: {ended:?}");
    }

    /// What the program has written.
    pub fn output(&self) -> String {
        self.read(OUTPUT)
    }

    /// What a file in the program's folder contains.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.process.kill());
        drop(self.process.wait());
        if std::thread::panicking() {
            let output = fs::read_to_string(self.folder.path().join(OUTPUT));
            eprintln!("{}", output.unwrap_or_default());
        }
    }
}
