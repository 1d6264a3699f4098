//! Why a measurement failed.

use std::io;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0:?} is not a number above zero")]
    NotANumber(String),
    #[error("can't run {program}: {source}; `cargo xtask bench` builds and installs all programs")]
    Program { program: String, source: io::Error },
    /// `fs_err` names the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("there is no free port: {0}")]
    Port(io::Error),
    #[error("{program} exited before it responded; its output:\n{output}")]
    Ended { program: String, output: String },
    #[error("{program} did not respond at {url} in time")]
    Silent { program: String, url: String },
    #[error("{program} responded to {url} with {answer}, so it can't be measured")]
    Wrong {
        program: String,
        url: String,
        answer: String,
    },
    #[error("can't sign an order: {0}")]
    Order(#[from] jsonwebtoken::errors::Error),
    #[error("can't read the load generator's report: {0}")]
    Report(String),
    #[error("{errors} of {program}'s responses were errors, so the measurement is invalid")]
    Errors { program: String, errors: u64 },
    #[error("browser: {0}")]
    Browser(String),
    #[error("interrupted")]
    Interrupted,
    #[error("unknown benchmark {0:?}; docs/PERFORMANCE.md lists all benchmarks")]
    Unknown(String),
    #[error(transparent)]
    Arguments(#[from] lexopt::Error),
    #[error("the load ran out of requests; use a shorter time")]
    Exhausted,
}
