//! The running demo, as in a terminal: it prints, and Ctrl-C ends it.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::error::{Error, Result};
use crate::workspace;

/// What is before the shop's address.
const ADDRESS: &str = "Open the shop:";

/// How long all programs may take to end.
const STOP_LIMIT: Duration = Duration::from_secs(30);

/// It is interrupted when it is dropped.
pub(super) struct Demo {
    process: Child,
    /// The lines of its output, which ends when the last of its programs has ended.
    output: Receiver<String>,
}

impl Demo {
    /// Runs this command of a shell, and waits for the shop's address.
    pub(super) fn start(script: &str, folder: &Path) -> Result<(Self, String)> {
        // Output and errors together, as in a terminal; and a process group of its own, to which a terminal sends Ctrl-C.
        let mut command = Command::new("sh");
        command
            .args(["-ec", &format!("{script} 2>&1")])
            .current_dir(folder)
            .env_remove("CARGO_TARGET_DIR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .process_group(0);
        workspace::announce(&command);
        let mut process = workspace::start(&mut command)?;
        let (sender, output) = mpsc::channel();
        if let Some(lines) = process.stdout.take() {
            thread::spawn(move || {
                for line in BufReader::new(lines).lines().map_while(Result::ok) {
                    println!("{line}");
                    // The receiver may have ended.
                    let _ = sender.send(line);
                }
            });
        }
        let demo = Self { process, output };
        let address = demo.output.iter().find_map(|line| address_in(&line));
        let shop = address.ok_or_else(|| Error::NoAddress {
            command: script.to_owned(),
        })?;
        Ok((demo, shop))
    }

    /// Presses Ctrl-C, and waits until all programs have ended.
    pub(super) fn interrupt(&mut self) -> Result<()> {
        self.press_ctrl_c();
        let deadline = Instant::now() + STOP_LIMIT;
        loop {
            let rest = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(rest) {
                Ok(_) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    return Err(Error::StillRunning { limit: STOP_LIMIT });
                }
            }
        }
        self.process.wait()?;
        Ok(())
    }

    fn press_ctrl_c(&self) {
        // This fails only if it has just ended.
        if let Ok(group) = i32::try_from(self.process.id()) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGINT);
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            self.press_ctrl_c();
            let _ = self.process.wait();
        }
    }
}

fn address_in(line: &str) -> Option<String> {
    let (_, address) = line.split_once(ADDRESS)?;
    Some(address.trim().to_owned())
}
