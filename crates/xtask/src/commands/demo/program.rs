//! One program of the demo: its process, its output, its health.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::CHECK_INTERVAL;
use crate::error::{Error, Result};
use crate::workspace;

const START_LIMIT: Duration = Duration::from_secs(30);
const STOP_LIMIT: Duration = Duration::from_secs(5);
const LAST_LINES: usize = 20;

/// A running program, stopped on drop.
pub(super) struct Program {
    role: &'static str,
    process: Child,
    last_lines: Arc<Mutex<VecDeque<String>>>,
}

impl Program {
    /// Starts a server, and prints its output with its name before each line.
    pub(super) fn start(role: &'static str, mut command: Command) -> Result<Self> {
        // In a process group of its own: Ctrl-C then reaches only xtask, which stops the others.
        command.process_group(0);
        Self::spawn(role, command)
    }

    /// Starts a build, and prints its output with its name before each line. Ctrl-C ends it with xtask.
    pub(super) fn build(role: &'static str, command: Command) -> Result<Self> {
        workspace::announce(&command);
        Self::spawn(role, command)
    }

    fn spawn(role: &'static str, mut command: Command) -> Result<Self> {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = workspace::start(&mut command)?;
        let last_lines = Arc::default();
        let outputs: [Option<Box<dyn Read + Send>>; 2] = [
            process.stdout.take().map(|output| Box::new(output) as _),
            process.stderr.take().map(|output| Box::new(output) as _),
        ];
        for output in outputs.into_iter().flatten() {
            let last_lines = Arc::clone(&last_lines);
            thread::spawn(move || show(role, output, &last_lines));
        }
        Ok(Self {
            role,
            process,
            last_lines,
        })
    }

    /// Waits until the server answers with 200 at this address, or xtask is stopped.
    pub(super) fn wait_until_healthy(&mut self, health: &str, stop: &AtomicBool) -> Result<()> {
        let deadline = Instant::now() + START_LIMIT;
        while !stop.load(Ordering::Relaxed) {
            self.check_running()?;
            let answer = minreq::get(health).with_timeout(2).send();
            if answer.is_ok_and(|answer| answer.status_code == 200) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                return Err(Error::ServerSilent {
                    role: self.role,
                    url: health.to_owned(),
                    limit: START_LIMIT,
                    output: self.output(),
                });
            }
            thread::sleep(CHECK_INTERVAL);
        }
        Ok(())
    }

    /// Waits for the end of a build. Fails if the build has failed.
    pub(super) fn finish(mut self) -> Result<()> {
        let status = self.process.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(self.ended(status))
        }
    }

    /// Fails if the process has ended.
    pub(super) fn check_running(&mut self) -> Result<()> {
        match self.process.try_wait()? {
            None => Ok(()),
            Some(status) => Err(self.ended(status)),
        }
    }

    fn ended(&self, status: ExitStatus) -> Error {
        // The last output may still be in the pipe.
        thread::sleep(CHECK_INTERVAL);
        Error::ProgramEnded {
            role: self.role,
            status,
            output: self.output(),
        }
    }

    fn output(&self) -> String {
        let lines = self
            .last_lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let indented: Vec<String> = lines.iter().map(|line| format!("    {line}")).collect();
        indented.join("\n")
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }
}

impl Drop for Program {
    /// Stops the process: first by a signal, then by force.
    fn drop(&mut self) {
        let asked = i32::try_from(self.process.id())
            .is_ok_and(|id| kill(Pid::from_raw(id), Signal::SIGTERM).is_ok());
        let deadline = Instant::now() + STOP_LIMIT;
        while asked && !self.has_ended() && Instant::now() < deadline {
            thread::sleep(CHECK_INTERVAL);
        }
        if !self.has_ended()
            && let Err(error) = self
                .process
                .kill()
                .and_then(|()| self.process.wait().map(drop))
        {
            eprintln!("the {} cannot be stopped: {error}", self.role);
        }
    }
}

fn show(role: &str, output: impl Read, last_lines: &Mutex<VecDeque<String>>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while output
        .read_until(b'\n', &mut bytes)
        .is_ok_and(|length| length > 0)
    {
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        println!("{role:>8} | {line}");
        let mut lines = last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push_back(line);
        if lines.len() > LAST_LINES {
            lines.pop_front();
        }
        bytes.clear();
    }
}
