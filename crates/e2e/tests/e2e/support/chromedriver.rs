//! The WebDriver server, shared by the tests that run at the same time.

use std::env;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

/// What it prints once it listens.
const STARTED: &str = "started successfully on port ";

/// A running chromedriver; it ends where the last test lets go of it.
pub(crate) struct Chromedriver {
    process: Child,
    url: String,
}

impl Chromedriver {
    /// The one that is running, or a new one.
    pub(crate) fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Chromedriver>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let started = Arc::new(Self::start());
            *shared = Arc::downgrade(&started);
            started
        })
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Starts it on a port that it chooses itself: no other program can take that in between.
    fn start() -> Self {
        let program = env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let mut process = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| {
                panic!(
                    "can't start {}: {error}; `cargo xtask doctor` says how to get it, CHROMEDRIVER \
                     where it is",
                    program.display()
                )
            });
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once(STARTED)?;
            Some(port.trim_end_matches('.').to_owned())
        });
        // It would stop where nobody reads what it says.
        thread::spawn(move || lines.try_for_each(|line| line.map(drop)));
        let port = port.expect("chromedriver ended before it listened");
        Self {
            process,
            url: format!("http://127.0.0.1:{port}"),
        }
    }
}

impl Drop for Chromedriver {
    fn drop(&mut self) {
        let ended = self.process.kill().and_then(|()| self.process.wait());
        if let Err(error) = ended {
            report(&error);
        }
    }
}

fn report(error: &io::Error) {
    eprintln!("chromedriver can't be ended: {error}");
}
