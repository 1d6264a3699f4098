//! A Chromium with a fresh profile, driven over a pipe by the `DevTools` protocol.
//!
//! Nothing is between the two but the pipe: a driver would hook into pages, which is what is measured.
//! The browser ends with the pipe, however this program ends.

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
    // No name leads anywhere: what is measured is on this machine, and nothing else is asked.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "about:blank",
];

const ANSWER_LIMIT: Duration = Duration::from_mins(1);
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Something that the browser tells.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) method: String,
    pub(super) params: Value,
}

/// It ends where this is dropped.
pub(super) struct Chromium {
    process: Child,
    commands: Option<ChildStdin>,
    messages: Receiver<Value>,
    told: VecDeque<Told>,
    next: u64,
    _profile: tempfile::TempDir,
}

impl Chromium {
    /// With these arguments besides its own.
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
            told: VecDeque::new(),
            next: 0,
            _profile: profile,
        })
    }

    /// Sends a command to a session (an empty name is the browser itself), and waits for its answer.
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
                return Err(Error::Browser(format!("{method} was not answered in time")));
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

    /// The next thing that the browser tells; `None` where it tells nothing until then.
    pub(super) fn told(&mut self, deadline: Instant) -> Result<Option<Told>, Error> {
        while self.told.is_empty() {
            match self.receive(deadline)? {
                Some(message) => self.keep(message),
                None => break,
            }
        }
        Ok(self.told.pop_front())
    }

    fn receive(&self, deadline: Instant) -> Result<Option<Value>, Error> {
        loop {
            interrupt::check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left.min(LOOK_EVERY)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Keeps what the browser tells; an answer that nobody waits for is none of that.
    fn keep(&mut self, message: Value) {
        let Value::Object(mut message) = message else {
            return;
        };
        if let Some(Value::String(method)) = message.remove("method") {
            let params = message.remove("params").unwrap_or_default();
            self.told.push_back(Told { method, params });
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The end of the pipe is the end of the browser; where it is not, it has had its time.
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
    Error::Browser("it is gone; CHROMIUM says which program it is".to_owned())
}
