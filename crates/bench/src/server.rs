//! A server process.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::error::Error;

const START_LIMIT: Duration = Duration::from_secs(20);
const STOP_LIMIT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A running server. Dropping it stops the process.
pub(crate) struct Server {
    process: Child,
}

impl Server {
    /// Starts a program with its output in a file in `folder`, and waits until `url` responds.
    pub(crate) fn start(
        program: &str,
        command: &mut Command,
        folder: &Path,
        url: &str,
    ) -> Result<Self, Error> {
        let log = folder.join(format!("{program}.log"));
        let file = File::create(&log).map_err(|source| Error::File {
            path: log.clone(),
            source,
        })?;
        let errors = file.try_clone().map_err(|source| Error::File {
            path: log.clone(),
            source,
        })?;
        let process = command
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(errors)
            .spawn()
            .map_err(|source| Error::Program {
                program: program.to_owned(),
                source,
            })?;
        let mut server = Self { process };
        server.wait(program, url, &log)?;
        Ok(server)
    }

    fn wait(&mut self, program: &str, url: &str, log: &PathBuf) -> Result<(), Error> {
        let deadline = Instant::now() + START_LIMIT;
        while Instant::now() < deadline {
            if self.has_ended() {
                return Err(Error::Ended {
                    program: program.to_owned(),
                    output: fs::read_to_string(log).unwrap_or_default(),
                });
            }
            // Any response will do; the contender is checked later.
            if minreq::get(url).with_timeout(1).send().is_ok() {
                return Ok(());
            }
            thread::sleep(POLL_INTERVAL);
        }
        Err(Error::Silent {
            program: program.to_owned(),
            url: url.to_owned(),
        })
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let foreign_hosts = i32::try_from(self.process.id())
            .is_ok_and(|id| kill(Pid::from_raw(id), Signal::SIGTERM).is_ok());
        let deadline = Instant::now() + STOP_LIMIT;
        while foreign_hosts && !self.has_ended() && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        if !self.has_ended() {
            // It did not stop in time.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// Returns a free port.
pub(crate) fn free_port() -> Result<u16, Error> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(Error::Port)?;
    Ok(listener.local_addr().map_err(Error::Port)?.port())
}
