//! What the elements' tests in a page need besides Chromium: Firefox, and `WebKitGTK` with a display in memory.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::error::{Error, Result};
use crate::tools::Toolbox;
use crate::workspace;

/// The tests of what differs between engines: how an error leaves WebAssembly, and tasks. Those of roles and names need
/// Chromium, which computes them in a page.
pub(super) const TESTS: [&str; 2] = [
    "--package tender-element --test browser",
    "--package tender-checkout --test element -- crash::",
];

/// A browser for wasm-bindgen's test runner.
pub(super) struct Engine {
    /// Environment variables of the runner.
    pub(super) variables: Vec<(&'static str, OsString)>,
    _display: Option<Display>,
}

/// Firefox and `WebKitGTK`. The runner knows the WebDriver of the latter by the name of Safari's.
pub(super) fn others(toolbox: &Toolbox) -> Result<[Engine; 2]> {
    let display = Display::start(toolbox)?;
    let firefox = Engine {
        variables: vec![("GECKODRIVER", toolbox.program("geckodriver"))],
        _display: None,
    };
    let webkit = Engine {
        variables: vec![
            ("SAFARIDRIVER", toolbox.program("WebKitWebDriver")),
            ("DISPLAY", format!(":{}", display.number).into()),
            // WebKit's sandbox needs rights that a container lacks.
            ("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1".into()),
        ],
        _display: Some(display),
    };
    Ok([firefox, webkit])
}

/// A display in memory. Dropping it ends its process.
struct Display {
    process: Child,
    number: String,
}

impl Display {
    /// Starts it with a free number that it chooses itself, and prints.
    fn start(toolbox: &Toolbox) -> Result<Self> {
        let mut command = Command::new(toolbox.program("Xvfb"));
        command
            .args(["-displayfd", "1", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        let mut process = workspace::start(command.stdout(Stdio::piped()))?;
        let mut number = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output)
                .read_line(&mut number)
                .map_err(Error::file("read the output of", "Xvfb"))?;
        }
        let number = number.trim().to_owned();
        Ok(Self { process, number })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let ended = self.process.kill().and_then(|()| self.process.wait());
        if let Err(error) = ended {
            eprintln!("Xvfb can't be ended: {error}");
        }
    }
}
