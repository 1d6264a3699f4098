//! The browsers of the elements' tests in a page, and which tests are left out in which.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::error::Result;
use crate::tools::Toolbox;
use crate::workspace;

/// Tests that don't run in some engines.
struct LeftOut {
    /// The beginning of each name: `module::`, or `module::function`.
    tests: &'static [&'static str],
    engines: &'static [Name],
}

/// All other tests run in all engines.
const LEFT_OUT: [LeftOut; 3] = [
    // They compare the library that computes roles and names with the browser, and only Chromium computes them in a page.
    LeftOut {
        tests: &["accessibility::"],
        engines: &[Name::Firefox, Name::WebKit],
    },
    // They need the garbage collector, which no page can call in WebKitGTK.
    LeftOut {
        tests: &[
            "changes::ten_thousand_changed_statuses_leave_nothing_behind",
            "changes::two_thousand_new_rows_and_requests_leave_only_their_owners_behind",
            "lifecycle::the_browser_can_collect_removed_elements",
            "lifecycle::the_table_of_what_is_held_does_not_grow_with_each_element",
        ],
        engines: &[Name::WebKit],
    },
    // After ten thousand events, the stand-in for the stream stays open in WebKitGTK, which later tests notice. Why is not known.
    LeftOut {
        tests: &["long_lived::"],
        engines: &[Name::WebKit],
    },
];

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
    /// The names of the tests that don't run in it, or their beginnings.
    pub(super) fn left_out(&self) -> impl Iterator<Item = &'static str> {
        let these = LEFT_OUT
            .iter()
            .filter(|left_out| left_out.engines.contains(&self.name));
        these.flat_map(|left_out| left_out.tests.iter().copied())
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
            // The language of its user, which the other browsers have without it. "C" is none.
            ("LANG", "en_US.UTF-8".into()),
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
            BufReader::new(output).read_line(&mut number)?;
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A test that was renamed would run where it can't.
    #[test]
    fn each_test_that_is_left_out_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = ["tests/element", "crates/payments/tests/element"];
        for name in LEFT_OUT.iter().flat_map(|left_out| left_out.tests) {
            let (module, function) = name.split_once("::").unwrap();
            let exists = folders.iter().any(|folder| {
                let file = root.join(folder).join(module).with_extension("rs");
                fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("fn {function}")))
            });
            assert!(exists, "{name}");
        }
    }
}
