//! Errors; each message says what to do next.

use std::io;
use std::net::SocketAddr;
use std::process::ExitStatus;
use std::time::Duration;

use crate::step::Step;

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("run this program as `cargo xtask`: cargo tells it where the workspace is")]
    NotFromCargo,

    #[error("there is no folder for tools: set HOME, or set TENDER_TOOLS to a folder")]
    NoToolsFolder,

    /// `fs_err` names the file.
    #[error(transparent)]
    Io(#[from] io::Error),

    #[error("cannot start `{program}`: {source}")]
    Start { program: String, source: io::Error },

    #[error("`{command}` failed ({status})")]
    Failed { command: String, status: ExitStatus },

    #[error(
        "some tools can't be installed automatically: install the tools listed above, then run the command again"
    )]
    CannotInstall,

    #[error("crates/xtask/tools.toml: {0}")]
    ToolTable(toml::de::Error),

    #[error("Cargo.lock: {0}")]
    Lock(toml::de::Error),

    #[error("{count} tools are missing; `cargo xtask setup` installs them")]
    ToolsMissing { count: usize },

    #[error("{tool} was installed, but the required version is not found; see the output above")]
    InstallHadNoEffect { tool: String },

    #[error(
        "{page} has no table with the header `{header}`: the npm package's manifest is made of it"
    )]
    NoTable {
        page: &'static str,
        header: &'static str,
    },

    #[error(
        "git names no commit: make releases in a clone of the repository, because the commit's time is that of all files"
    )]
    NoCommit,

    #[error("the output of `cargo metadata` can't be read: {0}; is this another version of cargo?")]
    Metadata(serde_json::Error),

    #[error(
        "{package} declares no licence that SPDX knows: a release must list the licences of all that is inside, \
         so replace the package"
    )]
    UnknownLicense { package: String },

    #[error(
        "TRUNK_STAGING_DIR is not set: `bundle` is trunk's post-build hook; \
         run `cargo xtask dist` or `trunk build`"
    )]
    NotAHook,

    #[error(transparent)]
    Size(#[from] SizeError),

    #[error(
        "the {role} cannot listen on {address}: {source}; stop the program that listens there, \
         or choose another address with --{flag}"
    )]
    Address {
        role: &'static str,
        flag: &'static str,
        address: SocketAddr,
        source: io::Error,
    },

    #[error("cannot read random bytes for the demo's order key: {0}")]
    Random(getrandom::Error),

    #[error("cannot watch for Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),

    #[error("the {role} ended ({status}); its last output:\n{output}")]
    ProgramEnded {
        role: &'static str,
        status: ExitStatus,
        output: String,
    },

    #[error("the {role} did not answer at {url} within {} s; its last output:\n{output}", limit.as_secs())]
    ServerSilent {
        role: &'static str,
        url: String,
        limit: Duration,
        output: String,
    },

    #[error(
        "a buyer could not pay: {url} can't be used, because {problem}; the output of the programs above says why. \
         If it does not, remove dist/ and run the command again"
    )]
    NotServed { url: String, problem: String },

    #[error("README.md has no shell command below `{heading}`: the step `newcomer` runs it")]
    NoCommand { heading: &'static str },

    #[error("`{command}` ended without printing the shop's address; its output is above")]
    NoAddress { command: String },

    #[error("a program of the demo still runs {} s after Ctrl-C", limit.as_secs())]
    StillRunning { limit: Duration },

    #[error("the step `{step}` failed: {cause}\nrun it again alone with: cargo xtask test {step}")]
    Step { step: Step, cause: Box<Error> },
}

/// The budget file or the bundle is invalid, or a file is too large.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SizeError {
    #[error("size-budget.txt: `{0}` is not a kind of file and a number of bytes")]
    Line(String),
    #[error("size-budget.txt has no line for `{0}`: give it one")]
    NoBudget(String),
    #[error(
        "dist/v1 has no `{0}`: build it with `cargo xtask dist`, or remove its line from size-budget.txt"
    )]
    NoFile(String),
    #[error(
        "over budget: {0}; make it smaller, or raise its line in size-budget.txt in the same change and write there why"
    )]
    OverBudget(String),
}
