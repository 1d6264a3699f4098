//! The running demo, as in a terminal: it prints, and Ctrl-C ends it.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// What is before the shop's address.
const ADDRESS: &str = "Open the shop:";

/// How long all programs may take to end.
const STOP_LIMIT: Duration = Duration::from_secs(30);

/// It is interrupted when it is dropped.
pub(super) struct Demo {
    process: Child,
    /// Prints its output, which ends when the last of its programs has ended.
    output: JoinHandle<()>,
}

impl Demo {
    /// Runs this command of a shell, and waits for the shop's address.
    pub(super) fn start(script: &str, folder: &Path) -> Result<(Self, String)> {
        println!("    $ {script}");
        // Output and errors together, as in a terminal; and a process group of its own, to which a terminal sends Ctrl-C.
        let mut process = Command::new("sh")
            .args(["-ec", &format!("{script} 2>&1")])
            .current_dir(folder)
            .env_remove("CARGO_TARGET_DIR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let output = process.stdout.take().context("the demo has no output")?;
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        let mut lines = lines.inspect(|line| println!("{line}"));
        let shop = lines.find_map(|line| {
            let (_, address) = line.split_once(ADDRESS)?;
            Some(address.trim().to_owned())
        });
        let demo = Self {
            process,
            output: thread::spawn(|| lines.for_each(drop)),
        };
        let shop = shop.with_context(|| {
            format!("`{script}` ended without printing the shop's address; its output is above")
        })?;
        Ok((demo, shop))
    }

    /// Presses Ctrl-C, and waits until all programs have ended.
    pub(super) fn interrupt(&mut self) -> Result<()> {
        self.press_ctrl_c();
        let deadline = Instant::now() + STOP_LIMIT;
        while !self.output.is_finished() {
            ensure!(
                Instant::now() < deadline,
                "a program of the demo still runs {} s after Ctrl-C",
                STOP_LIMIT.as_secs()
            );
            thread::sleep(Duration::from_millis(100));
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
