//! Programs that run beside a test.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A running program. Dropping it ends the program.
pub(super) struct Program {
    process: Child,
    name: String,
}

impl Program {
    /// Starts the program that this environment variable names, by default `name`, with changes to its command. Its output is
    /// read by [`find`](Self::find).
    pub(super) fn start(variable: &str, name: &str, change: impl FnOnce(&mut Command)) -> Self {
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
    pub(super) fn find<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut lines = BufReader::new(self.process.stdout.take().unwrap()).lines();
        let found = (lines.by_ref().map_while(Result::ok)).find_map(|line| find(&line));
        // A program blocks when the pipe of its output is full.
        thread::spawn(move || lines.try_for_each(|line| line.map(drop)));
        found
    }

    /// Whether it has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        self.process.try_wait().unwrap().is_some()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let id = i32::try_from(self.process.id()).expect("the system's ids are small");
        // A script that has started the program passes on this signal, but can't pass on SIGKILL.
        let ended = kill(Pid::from_raw(id), Signal::SIGTERM).map_err(Into::into);
        if let Err(error) = ended.and_then(|()| self.process.wait()) {
            eprintln!("{} can't be ended: {error}", self.name);
        }
    }
}
