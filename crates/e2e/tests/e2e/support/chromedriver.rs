//! The WebDriver server, shared by tests that run at the same time.

use std::env;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

/// The line it prints once it listens.
const STARTED: &str = "started successfully on port ";

/// A running chromedriver. It stops when the last test releases it.
pub(crate) struct Chromedriver {
    process: Child,
    url: String,
}

impl Chromedriver {
    /// The running chromedriver, or a new one.
    pub(crate) fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Chromedriver>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let started = Arc::new(Self::start());
            *shared = Arc::downgrade(&started);
            started
        })
    }

    /// Its address.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Starts it on a free port that it chooses itself, so no other program can take the port in between.
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
        // It would block if nobody read its output.
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
