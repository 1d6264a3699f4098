//! A server process.

use std::env;
use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fs_err as fs;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::error::Error;
use crate::orders::ORDER_KEY;

const START_LIMIT: Duration = Duration::from_secs(20);
const STOP_LIMIT: Duration = Duration::from_secs(5);
/// The unit of processor times in `/proc`: `USER_HZ` is 100 on all common architectures.
const TICK: Duration = Duration::from_millis(10);
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
        let file = File::create(&log)?;
        let errors = file.try_clone()?;
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

    /// The processor time of the process and of its children so far.
    pub(crate) fn processor_time(&self) -> Result<Duration, Error> {
        processor_time(self.process.id())
    }

    /// The most memory that the process has had so far, in MiB.
    pub(crate) fn peak_memory(&self) -> Result<f64, Error> {
        let path = format!("/proc/{}/status", self.process.id());
        let status = fs::read_to_string(&path)?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        Ok(kilobytes.unwrap_or_default() / 1024.0)
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let is_asked = i32::try_from(self.process.id())
            .is_ok_and(|id| kill(Pid::from_raw(id), Signal::SIGTERM).is_ok());
        let deadline = Instant::now() + STOP_LIMIT;
        while is_asked && !self.has_ended() && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        if !self.has_ended() {
            // It did not stop in time.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// Reads the processor time from Linux (proc(5)).
fn processor_time(process: u32) -> Result<Duration, Error> {
    let ticks = ticks(&fs::read_to_string(format!("/proc/{process}/stat"))?);
    let mut time = TICK.saturating_mul(ticks);
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children"))?;
    for child in children.split_whitespace().filter_map(|id| id.parse().ok()) {
        time += processor_time(child)?;
    }
    Ok(time)
}

/// The ticks of a process in user and kernel mode: the fields 14 and 15 of `/proc/PID/stat`. The second field is a name in
/// parentheses, which may contain anything.
fn ticks(stat: &str) -> u32 {
    let fields = stat.rsplit_once(')').map_or(stat, |(_, rest)| rest);
    let times = fields.split_whitespace().skip(11).take(2);
    times.filter_map(|ticks| ticks.parse::<u32>().ok()).sum()
}

/// A free address of this machine.
pub(crate) fn address() -> Result<String, Error> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(Error::Port)?;
    Ok(listener.local_addr().map_err(Error::Port)?.to_string())
}

/// The directory of Cargo's release binaries, among them this program.
pub(crate) fn binaries() -> Result<PathBuf, Error> {
    let this = env::current_exe()?;
    Ok(this.parent().unwrap_or(Path::new(".")).to_owned())
}

/// Starts the sandbox of the payment service at these addresses.
pub(crate) fn sandbox(
    binaries: &Path,
    folder: &Path,
    payments: &str,
    rates: &str,
) -> Result<Server, Error> {
    Server::start(
        "tender-sandbox",
        Command::new(binaries.join("tender-sandbox"))
            .args(["--listen", payments, "--rates-listen", rates])
            .env("RUST_LOG", "warn"),
        folder,
        &format!("http://{rates}/api/v1/rates/my-tokens"),
    )
}

/// The URL of an SQLite database in this folder.
pub(crate) fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("tender.db").display())
}

/// The command of a proxy in front of the sandbox at these addresses, with the database at this URL.
pub(crate) fn proxy(
    program: &Path,
    database: &str,
    listen: &str,
    payments: &str,
    rates: &str,
) -> Command {
    let mut command = Command::new(program);
    command
        .args(["--listen", listen, "--order-key", ORDER_KEY])
        .args(["--base-url", &format!("http://{payments}")])
        .args(["--rates-base-url", &format!("http://{rates}")])
        .args(["--database-url", database])
        .args(["--log-level", "warn"]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_read_behind_any_name() {
        let stat = "7 (a) b (c) R 1 7 7 0 -1 4194304 100 0 0 0 250 31 9 9 20 0 1 0 12345";
        assert_eq!(ticks(stat), 281);
    }
}
