//! Runs a test program in `WebKitGTK`. Its browser does not always start, and its driver sometimes answers a request for the output
//! with HTTP 500; why is not known. A program that ends without a result is started again. Where a test has failed, it is not.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The browser has no headless mode, so it gets a display in memory.
const RUNNER: [&str; 3] = ["xvfb-run", "--auto-servernum", "wasm-bindgen-test-runner"];

/// How often the browser is started.
const STARTS: usize = 3;

/// How long it may take until the first test begins. The runner's own limit is longer than all tests take.
const PATIENCE: Duration = Duration::from_mins(4);

/// Runs the program with these arguments.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    for _ in 0..STARTS {
        let mut command = Command::new(RUNNER[0]);
        command.args(&RUNNER[1..]).args(arguments);
        if let Some(status) = attempt(command, PATIENCE)? {
            ensure!(status.success(), "tests have failed in WebKitGTK");
            return Ok(());
        }
        println!("WebKitGTK has ended without a result; it is started again");
    }
    bail!("WebKitGTK has ended without a result in {STARTS} attempts")
}

/// How the program ended; `None` if it ended without a result, or if no test had begun after this time.
fn attempt(mut command: Command, patience: Duration) -> Result<Option<ExitStatus>> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    // A group of its own, to end the browser with it.
    let mut child = command.process_group(0).spawn()?;
    let lines = lines(&mut child)?;
    let deadline = Instant::now() + patience;
    let (mut has_begun, mut has_result) = (false, false);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = if has_begun {
            lines.recv().map_err(RecvTimeoutError::from)
        } else {
            lines.recv_timeout(left)
        };
        match line {
            Ok(line) => {
                has_begun |= begins(&line);
                has_result |= decides(&line);
                println!("{line}");
            }
            Err(RecvTimeoutError::Timeout) => {
                killpg(group(&child)?, Signal::SIGKILL)?;
                child.wait()?;
                return Ok(None);
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = child.wait()?;
                return Ok((has_result || status.success()).then_some(status));
            }
        }
    }
}

/// As wasm-bindgen's runner says that there are tests.
fn begins(line: &str) -> bool {
    let number = line.strip_prefix("running ");
    number.is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit()))
}

/// As wasm-bindgen's tests say that one has failed, or how all ended.
fn decides(line: &str) -> bool {
    line.starts_with("test result: ") || line.starts_with("test ") && line.ends_with(" ... FAIL")
}

fn lines(child: &mut Child) -> Result<Receiver<String>> {
    let output = child.stdout.take().context("the output is a pipe")?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Ok(receiver)
}

fn group(child: &Child) -> Result<Pid> {
    Ok(Pid::from_raw(i32::try_from(child.id())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    /// Whether a shell script that prints this passes, or fails; `None` if nothing began.
    fn attempt_of(script: &str, patience: Duration) -> Option<bool> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let status = attempt(command, patience).unwrap();
        status.map(|status| status.success())
    }

    #[test]
    fn only_what_has_no_result_is_started_again() {
        for (script, outcome) in [
            ("echo running 3 tests; exit 0", Some(true)),
            ("echo test result: FAILED. 2 passed; exit 1", Some(false)),
            ("echo test one ... FAIL; exit 1", Some(false)),
            ("echo running 3 tests; echo test one ... ok; exit 1", None),
            ("echo no tests to run!", Some(true)),
            ("echo Running headless tests; exit 1", None),
            ("exit 1", None),
        ] {
            assert_eq!(attempt_of(script, LONG), outcome, "{script}");
        }
        let hangs = "echo Running headless tests; sleep 1000";
        assert_eq!(attempt_of(hangs, Duration::from_millis(1)), None);
    }
}
