//! One program of the demo: its process, its output, its health.

use std::io::{self, BufRead as _, BufReader, PipeReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, anyhow, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use xshell::Cmd;

use super::{CHECK_INTERVAL, is_stopped};

const START_LIMIT: Duration = Duration::from_secs(30);
const STOP_LIMIT: Duration = Duration::from_secs(5);

/// A running program, stopped on drop.
pub(super) struct Program {
    role: &'static str,
    process: Child,
}

impl Program {
    /// Starts a server, and prints its output with its name before each line.
    pub(super) fn start(role: &'static str, command: Cmd) -> Result<Self> {
        let mut command = Command::from(command);
        // In a process group of its own: Ctrl-C then reaches only xtask, which stops the others.
        command.process_group(0);
        Self::spawn(role, command)
    }

    /// Starts a build, and prints its output with its name before each line. Ctrl-C ends it with xtask.
    pub(super) fn build(role: &'static str, command: Cmd) -> Result<Self> {
        println!("    $ {command}");
        Self::spawn(role, command.into())
    }

    fn spawn(role: &'static str, mut command: Command) -> Result<Self> {
        let (output, input) = io::pipe()?;
        command.stdin(Stdio::null());
        command.stdout(input.try_clone()?).stderr(input);
        let process = command
            .spawn()
            .with_context(|| format!("cannot start the {role}"))?;
        thread::spawn(move || show(role, output));
        Ok(Self { role, process })
    }

    /// Waits until the server answers with 200 at this address, or xtask is stopped.
    pub(super) fn wait_until_healthy(&mut self, health: &str) -> Result<()> {
        let deadline = Instant::now() + START_LIMIT;
        while !is_stopped() {
            self.check_running()?;
            let answer = minreq::get(health).with_timeout(2).send();
            if answer.is_ok_and(|answer| answer.status_code == 200) {
                return Ok(());
            }
            ensure!(
                Instant::now() < deadline,
                "the {} did not answer at {health} within {} s; its output is above",
                self.role,
                START_LIMIT.as_secs()
            );
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
        anyhow!("the {} ended ({status}); its output is above", self.role)
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

fn show(role: &str, output: PipeReader) {
    let lines = BufReader::new(output).split(b'\n');
    for line in lines.map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        println!("{role:>8} | {}", line.trim_end());
    }
}
