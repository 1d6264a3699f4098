//! The WebDriver servers. Each browser has its own: those of Firefox and `WebKit` have one session only.

use std::net::TcpStream;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use tender_programs::free_address;

use super::program::Program;

/// How often a server is started. chromedriver ends if another program has its free port in IPv6.
const TRIES: u32 = 5;

/// A running WebDriver server.
pub(super) struct Driver {
    _program: Program,
    /// Its address.
    pub(super) url: String,
    /// Declared after the server, which must end first.
    _display: Option<Display>,
}

impl Driver {
    pub(super) fn chromedriver() -> Self {
        let start = "started successfully on port ";
        Self::reporting("CHROMEDRIVER", "chromedriver", start)
    }

    pub(super) fn geckodriver() -> Self {
        Self::reporting("GECKODRIVER", "geckodriver", "Listening on 127.0.0.1:")
    }

    /// Starts a server on a free port that it chooses itself, so no other program can take the port in between. It prints the
    /// port behind `start`.
    fn reporting(variable: &str, name: &str, start: &str) -> Self {
        for _ in 0..TRIES {
            let mut program = Program::start(variable, name, |command| {
                command.arg("--port=0");
                if name == "geckodriver" {
                    // Firefox writes warnings there that say nothing about the page.
                    command.stderr(Stdio::null());
                }
            });
            let port = program.find(|line| {
                let (_, port) = line.split_once(start)?;
                Some(port.trim_end_matches('.').to_owned())
            });
            if let Some(port) = port {
                return Self {
                    _program: program,
                    url: format!("http://127.0.0.1:{port}"),
                    _display: None,
                };
            }
        }
        panic!("{name} ended {TRIES} times before it was ready");
    }

    /// It doesn't print a port that it chooses.
    pub(super) fn webkit() -> Self {
        let display = Display::start();
        let address = free_address();
        let mut program = Program::start("WEBKITDRIVER", "WebKitWebDriver", |command| {
            command
                .arg(format!("--port={}", address.port()))
                .env("DISPLAY", &display.name)
                // The browser would look for other programs of a desktop.
                .env("NO_AT_BRIDGE", "1")
                // WebKit's sandbox needs rights that a container lacks.
                .env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")
                .stdout(Stdio::null());
        });
        while TcpStream::connect(address).is_err() {
            assert!(!program.has_ended(), "WebKitWebDriver has ended");
            thread::sleep(Duration::from_millis(25));
        }
        Self {
            _program: program,
            url: format!("http://{address}"),
            _display: Some(display),
        }
    }
}

/// A display in memory. Each browser has its own: of the windows on one display, only one has the keyboard focus.
struct Display {
    _program: Program,
    name: String,
}

impl Display {
    /// Starts it with a free number that it chooses itself, and prints.
    fn start() -> Self {
        let mut program = Program::start("XVFB", "Xvfb", |command| {
            let arguments = "-displayfd 1 -nolisten tcp -screen 0 1280x1024x24";
            command.args(arguments.split(' ')).stderr(Stdio::null());
        });
        let number: Option<u32> = program.find(|line| line.trim().parse().ok());
        let number = number.expect("Xvfb starts");
        Self {
            _program: program,
            name: format!(":{number}"),
        }
    }
}
