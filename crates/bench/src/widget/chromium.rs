//! Chromium with a new profile, controlled over a pipe with the `DevTools` protocol.
//!
//! No WebDriver is used, because it would inject scripts into the measured pages. The browser exits
//! when the pipe closes, even if this program crashes.

use std::collections::VecDeque;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::interrupt;
use crate::error::Error;

/// Chromium reads commands from descriptor 3 and writes to descriptor 4.
const PIPES: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

const ARGUMENTS: [&str; 14] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--window-size=1280,900",
    "--lang=en-US",
    // No host name resolves, so requests to other machines fail.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "about:blank",
];

const ANSWER_LIMIT: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// An event from the browser.
#[derive(Clone, Debug)]
pub(super) struct BrowserEvent {
    pub(super) method: String,
    pub(super) params: Value,
}

/// A running browser. Dropping it stops the process.
pub(super) struct Chromium {
    process: Child,
    commands: Option<ChildStdin>,
    messages: Receiver<Value>,
    events: VecDeque<BrowserEvent>,
    next: u64,
    _profile: tempfile::TempDir,
}

impl Chromium {
    /// Starts the browser with additional arguments.
    pub(super) fn start(arguments: &[&str]) -> Result<Self, Error> {
        let program = env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let cannot_run = |source| Error::Program {
            program: program.clone(),
            source,
        };
        let profile = tempfile::tempdir().map_err(cannot_run)?;
        let mut process = Command::new("sh")
            .args(["-c", PIPES, &program])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(arguments)
            .args(ARGUMENTS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(cannot_run)?;
        let commands = process.stdin.take();
        let (sender, messages) = channel();
        if let Some(output) = process.stdout.take() {
            thread::spawn(move || {
                let mut output = BufReader::with_capacity(1 << 20, output);
                let mut message = Vec::new();
                while output
                    .read_until(0, &mut message)
                    .is_ok_and(|read| read > 0)
                {
                    message.pop();
                    let value = serde_json::from_slice(&message).unwrap_or_default();
                    message.clear();
                    if sender.send(value).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self {
            process,
            commands,
            messages,
            events: VecDeque::new(),
            next: 0,
            _profile: profile,
        })
    }

    /// Sends a command to a session (the empty name is the browser itself) and waits for the
    /// response.
    pub(super) fn call(
        &mut self,
        session: &str,
        method: &str,
        params: Value,
    ) -> Result<Value, Error> {
        self.next += 1;
        let id = self.next;
        let mut message = Map::new();
        message.insert("id".to_owned(), id.into());
        message.insert("method".to_owned(), method.into());
        message.insert("params".to_owned(), params);
        if !session.is_empty() {
            message.insert("sessionId".to_owned(), session.into());
        }
        let mut bytes = Value::from(message).to_string().into_bytes();
        bytes.push(0);
        let pipe = self.commands.as_mut().ok_or_else(gone)?;
        pipe.write_all(&bytes)
            .and_then(|()| pipe.flush())
            .map_err(|_| gone())?;
        let deadline = Instant::now() + ANSWER_LIMIT;
        loop {
            let Some(message) = self.receive(deadline)? else {
                return Err(Error::Browser(format!("no response to {method} in time")));
            };
            if message.get("id").and_then(Value::as_u64) != Some(id) {
                self.keep(message);
                continue;
            }
            if let Some(error) = message.get("error") {
                return Err(Error::Browser(format!("{method}: {error}")));
            }
            return Ok(message.get("result").cloned().unwrap_or_default());
        }
    }

    /// The next event from the browser; `None` if there is none before the deadline.
    pub(super) fn next_event(&mut self, deadline: Instant) -> Result<Option<BrowserEvent>, Error> {
        while self.events.is_empty() {
            match self.receive(deadline)? {
                Some(message) => self.keep(message),
                None => break,
            }
        }
        Ok(self.events.pop_front())
    }

    fn receive(&self, deadline: Instant) -> Result<Option<Value>, Error> {
        loop {
            interrupt::check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Stores an event. A response that is no longer expected is dropped.
    fn keep(&mut self, message: Value) {
        let Value::Object(mut message) = message else {
            return;
        };
        if let Some(Value::String(method)) = message.remove("method") {
            let params = message.remove("params").unwrap_or_default();
            self.events.push_back(BrowserEvent { method, params });
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The browser exits when the pipe closes; otherwise it is killed after a while.
        drop(self.commands.take());
        let deadline = Instant::now() + Duration::from_secs(3);
        while matches!(self.process.try_wait(), Ok(None)) {
            if Instant::now() > deadline {
                let _: io::Result<()> = self.process.kill();
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

fn gone() -> Error {
    Error::Browser("it exited; the environment variable CHROMIUM sets its path".to_owned())
}
