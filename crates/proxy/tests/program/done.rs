//! Test support for commands that end by themselves.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Command, Output, Stdio};

use nix::pty::{OpenptyResult, Winsize, openpty};
use serde_json::Value;

use crate::payments::KEY;

/// The result of a command.
pub(crate) struct Done {
    code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Done {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output {
            status,
            stdout,
            stderr,
        } = command.stdin(Stdio::null()).output().unwrap();
        Self {
            code: status.code().unwrap(),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }

    /// Runs the command in a terminal of this width, with this input.
    pub(crate) fn at_terminal(mut command: Command, columns: u16, typed: &str) -> Self {
        let size = Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let OpenptyResult { master, slave } = openpty(Some(&size), None).unwrap();
        let slave = File::from(slave);
        command.stdin(slave.try_clone().unwrap());
        command.stdout(slave);
        command.stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Close this process's copies of the terminal.
        drop(command);
        let mut master = File::from(master);
        master.write_all(typed.as_bytes()).unwrap();
        let reading = std::thread::spawn(move || {
            let mut out = Vec::new();
            let mut piece = [0; 4096];
            // The end of a terminal is reported as an error.
            while let Ok(length @ 1..) = master.read(&mut piece) {
                out.extend_from_slice(&piece[..length]);
            }
            String::from_utf8(out).unwrap().replace("\r\n", "\n")
        });
        let mut err = String::new();
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_to_string(&mut err).unwrap();
        let code = child.wait().unwrap().code().unwrap();
        Self {
            code,
            out: reading.join().unwrap(),
            err,
        }
    }

    #[track_caller]
    pub(crate) fn is(&self, code: i32) -> &Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        // Never, whatever the result.
        assert!(!self.out.contains(KEY) && !self.err.contains(KEY));
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{}", self.out);
        serde_json::from_str(&self.out).unwrap()
    }

    #[track_caller]
    pub(crate) fn reports(&self, text: &str) -> &Self {
        assert!(self.err.contains(text), "{text}: {}", self.err);
        self
    }
}
