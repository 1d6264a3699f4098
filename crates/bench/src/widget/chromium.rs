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

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::interrupt;

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

/// The browser exits, or there is none.
const GONE: &str = "the browser exited; the environment variable CHROMIUM sets its path";

#[derive(Serialize)]
struct Request<'a> {
    id: u64,
    method: &'a str,
    params: Value,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Message {
    Response {
        id: u64,
        #[serde(default)]
        result: Value,
        #[serde(default)]
        error: Value,
    },
    Event(BrowserEvent),
}

/// An event from the browser.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct BrowserEvent {
    pub(super) method: String,
    #[serde(default)]
    pub(super) params: Value,
}

/// A running browser. Dropping it stops the process.
pub(super) struct Chromium {
    process: Child,
    commands: Option<ChildStdin>,
    messages: Receiver<Message>,
    events: VecDeque<BrowserEvent>,
    next: u64,
    _profile: tempfile::TempDir,
}

impl Chromium {
    /// Starts the browser with additional arguments.
    pub(super) fn start(arguments: &[&str]) -> Result<Self> {
        let program = env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let profile = tempfile::tempdir()?;
        let mut process = Command::new("sh")
            .args(["-c", PIPES, &program])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(arguments)
            .args(ARGUMENTS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let commands = process.stdin.take();
        let output = process.stdout.take().context(GONE)?;
        let (sender, messages) = channel();
        thread::spawn(move || {
            let output = BufReader::with_capacity(1 << 20, output);
            for message in output.split(0).map_while(io::Result::ok) {
                if let Ok(message) = serde_json::from_slice(&message)
                    && sender.send(message).is_err()
                {
                    break;
                }
            }
        });
        Ok(Self {
            process,
            commands,
            messages,
            events: VecDeque::new(),
            next: 0,
            _profile: profile,
        })
    }

    /// Sends a command to a session, or to the browser itself, and waits for the response.
    pub(super) fn call(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<Value> {
        self.next += 1;
        let request = Request {
            id: self.next,
            method,
            params,
            session,
        };
        let mut bytes = serde_json::to_vec(&request)?;
        bytes.push(0);
        let pipe = self.commands.as_mut().context(GONE)?;
        pipe.write_all(&bytes)
            .and_then(|()| pipe.flush())
            .context(GONE)?;
        let deadline = Instant::now() + ANSWER_LIMIT;
        loop {
            let message = self.receive(deadline)?;
            match message.with_context(|| format!("no response to {method} in time"))? {
                Message::Response { id, result, error } if id == self.next => {
                    ensure!(error.is_null(), "{method}: {error}");
                    return Ok(result);
                }
                // A response that is no longer expected.
                Message::Response { .. } => {}
                Message::Event(event) => self.events.push_back(event),
            }
        }
    }

    /// The next event from the browser; `None` if there is none before the deadline.
    pub(super) fn next_event(&mut self, deadline: Instant) -> Result<Option<BrowserEvent>> {
        while self.events.is_empty() {
            match self.receive(deadline)? {
                Some(Message::Event(event)) => return Ok(Some(event)),
                Some(Message::Response { .. }) => {}
                None => break,
            }
        }
        Ok(self.events.pop_front())
    }

    fn receive(&self, deadline: Instant) -> Result<Option<Message>> {
        loop {
            interrupt::check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Disconnected) => bail!(GONE),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
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

/// A field of this name; empty if there is no text.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    let text = value.get(name).and_then(Value::as_str);
    text.unwrap_or_default()
}

/// A field of this name; zero if there is no number.
pub(super) fn number(value: &Value, name: &str) -> f64 {
    let number = value.get(name).and_then(Value::as_f64);
    number.unwrap_or_default()
}
