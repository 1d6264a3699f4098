//! The browsers of the elements' tests in a page, and which tests are left out in which.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::error::{Error, Result};
use crate::tools::Toolbox;
use crate::workspace;

/// A test that doesn't run in some engines.
struct LeftOut {
    /// `module::function`
    test: &'static str,
    engines: &'static [Name],
    /// Read here, and by nobody else.
    _why: &'static str,
}

/// All other tests run in all engines.
const LEFT_OUT: [LeftOut; 0] = [];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Chromium,
    Firefox,
    WebKit,
}

/// A browser for wasm-bindgen's test runner.
pub(super) struct Engine {
    name: Name,
    /// Environment variables of the runner.
    pub(super) variables: Vec<(&'static str, OsString)>,
    _display: Option<Display>,
}

impl Engine {
    /// The names of the tests that don't run in it.
    pub(super) fn left_out(&self) -> impl Iterator<Item = &'static str> {
        let these = LEFT_OUT
            .iter()
            .filter(|test| test.engines.contains(&self.name));
        these.map(|test| test.test)
    }
}

/// All browsers. The runner knows the WebDriver of `WebKitGTK` by the name of Safari's; the browser needs a display.
pub(super) fn all(toolbox: &Toolbox) -> Result<[Engine; 3]> {
    let display = Display::start(toolbox)?;
    let chromium = Engine {
        name: Name::Chromium,
        variables: vec![("CHROMEDRIVER", toolbox.program("chromedriver"))],
        _display: None,
    };
    let firefox = Engine {
        name: Name::Firefox,
        variables: vec![("GECKODRIVER", toolbox.program("geckodriver"))],
        _display: None,
    };
    let webkit = Engine {
        name: Name::WebKit,
        variables: vec![
            ("SAFARIDRIVER", toolbox.program("WebKitWebDriver")),
            ("DISPLAY", format!(":{}", display.number).into()),
            // WebKit's sandbox needs rights that a container lacks.
            ("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1".into()),
        ],
        _display: Some(display),
    };
    Ok([chromium, firefox, webkit])
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
