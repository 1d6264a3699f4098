//! Programs that run beside a test.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::{env, fs, thread};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// What this environment variable names.
pub(crate) fn named(variable: &str) -> OsString {
    env::var_os(variable)
        .unwrap_or_else(|| panic!("{variable} is not set; `cargo xtask` sets it for these tests"))
}

/// Unpacks an archive (.tar.gz) without the folder that it consists of.
pub(crate) fn unpack(archive: impl AsRef<OsStr>, into: &Path) {
    fs::create_dir_all(into).unwrap();
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--gzip", "--strip-components=1", "--file"]);
    output(tar.arg(archive).current_dir(into));
}

/// What the command prints. It must succeed.
pub(crate) fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}{error}");
    said
}

/// The proxy: the one that `TENDER_PROXY_BIN` names, or the one next to this test.
pub(crate) fn proxy_binary() -> PathBuf {
    let set = env::var_os("TENDER_PROXY_BIN").map(PathBuf::from);
    let program = set.unwrap_or_else(|| {
        let this = env::current_exe().unwrap();
        let debug = this.ancestors().nth(2).unwrap();
        debug.join(format!("tender-proxy{}", env::consts::EXE_SUFFIX))
    });
    assert!(
        program.is_file(),
        "there is no {}: build it with `cargo xtask test e2e`, or say in TENDER_PROXY_BIN where it is",
        program.display()
    );
    program
}

/// A running program. Dropping it ends the program.
pub(crate) struct Program {
    process: Child,
    name: String,
}

impl Program {
    /// Starts the program that this environment variable names, by default `name`, with changes to its command. Its output is
    /// read by [`find`](Self::find).
    pub(crate) fn start(variable: &str, name: &str, change: impl FnOnce(&mut Command)) -> Self {
        let program = env::var_os(variable).unwrap_or_else(|| name.into());
        let mut command = Command::new(&program);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        change(&mut command);
        let process = command.spawn().unwrap_or_else(|error| {
            panic!(
                "can't start {}: {error}; `cargo xtask doctor` says how to get it, {variable} where it is",
                program.display()
            )
        });
        Self {
            process,
            name: name.to_owned(),
        }
    }

    /// Waits for the first line of its output in which `find` finds something; `None` if the program ends without one.
    pub(crate) fn find<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> Option<T> {
        let output = self.process.stdout.take().unwrap();
        let mut lines = BufReader::new(output).lines();
        let found = (lines.by_ref().map_while(Result::ok)).find_map(|line| find(&line));
        // A program blocks when the pipe of its output is full.
        thread::spawn(move || lines.try_for_each(|line| line.map(drop)));
        found
    }

    /// Whether it has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        self.process.try_wait().unwrap().is_some()
    }

    /// Requests its end, and waits for it.
    fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.process.try_wait()? {
            return Ok(status);
        }
        let id = i32::try_from(self.process.id()).expect("the system's ids are small");
        // A script that has started the program passes on this signal, but can't pass on SIGKILL.
        kill(Pid::from_raw(id), Signal::SIGTERM)?;
        self.process.wait()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            eprintln!("{} can't be ended: {error}", self.name);
        }
    }
}
