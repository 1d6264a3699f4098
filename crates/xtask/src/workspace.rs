//! The repository's folders, and running other programs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::error::{Error, Result};

/// The repository, and cargo's target folder.
pub(crate) struct Workspace {
    root: PathBuf,
    /// `<target>/debug`, where this program is, and the others that cargo builds.
    dev_binaries: PathBuf,
}

impl Workspace {
    pub(crate) fn locate() -> Result<Self> {
        let manifest_dir = env::var_os("CARGO_MANIFEST_DIR").ok_or(Error::NotFromCargo)?;
        let root = Path::new(&manifest_dir)
            .ancestors()
            .nth(2)
            .ok_or(Error::NotFromCargo)?;
        let this = env::current_exe()?;
        let dev_binaries = this.parent().ok_or(Error::NotFromCargo)?;
        Ok(Self {
            root: root.to_owned(),
            dev_binaries: dev_binaries.to_owned(),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn dev_binary(&self, name: &str) -> PathBuf {
        self.dev_binaries.join(name)
    }

    pub(crate) fn release_binary(&self, name: &str) -> PathBuf {
        self.dev_binaries.with_file_name("release").join(name)
    }

    /// The measuring program's folder, for its input and its results.
    pub(crate) fn bench_results(&self) -> PathBuf {
        self.dev_binaries.with_file_name("bench")
    }

    /// Cargo's target folder, for intermediate files.
    pub(crate) fn target(&self) -> PathBuf {
        let debug = &self.dev_binaries;
        debug.parent().unwrap_or(debug).to_owned()
    }

    /// A command that runs in the root, without input.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).stdin(Stdio::null());
        command
    }
}

/// Prints the command and runs it, with its output. Fails if its exit status is not 0.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    announce(command);
    let child = start(command)?;
    finish(command, child)
}

/// Waits for a command that was started. Fails if its exit status is not 0.
pub(crate) fn finish(command: &Command, mut child: Child) -> Result<()> {
    let status = child
        .wait()
        .map_err(|source| cannot_start(command, source))?;
    succeeded(command, status)
}

/// Runs the command without printing it, and returns its output. Fails if its exit status is not 0.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|source| cannot_start(command, source))?;
    succeeded(command, output.status)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn succeeded(command: &Command, status: ExitStatus) -> Result<()> {
    if status.success() {
        Ok(())
    } else {
        Err(Error::Failed {
            command: line(command),
            status,
        })
    }
}

pub(crate) fn start(command: &mut Command) -> Result<Child> {
    command
        .spawn()
        .map_err(|source| cannot_start(command, source))
}

pub(crate) fn announce(command: &Command) {
    println!("    $ {}", line(command));
}

fn cannot_start(command: &Command, source: std::io::Error) -> Error {
    Error::Start {
        program: command.get_program().to_string_lossy().into_owned(),
        source,
    }
}

/// The command line.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
