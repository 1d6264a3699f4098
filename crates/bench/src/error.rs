//! What can keep a measurement from being one.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0:?} is not a number above zero")]
    NotANumber(String),
    #[error(
        "{program} can't be run: {source}; `cargo xtask bench` installs and builds what is needed"
    )]
    Program { program: String, source: io::Error },
    #[error("{path} can't be used: {source}", path = path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("there is no free port: {0}")]
    Port(io::Error),
    #[error("{program} ended before it answered; it said:\n{said}")]
    Ended { program: String, said: String },
    #[error("{program} did not answer at {url} in time")]
    Silent { program: String, url: String },
    #[error("{program} answered {url} with {answer}: what it does is not what is measured")]
    Wrong {
        program: String,
        url: String,
        answer: String,
    },
    #[error("an order can't be signed: {0}")]
    Order(#[from] jsonwebtoken::errors::Error),
    #[error("the load generator said what can't be read: {0}")]
    Report(String),
    #[error("of {program}'s answers, {errors} were errors: nothing is measured by them")]
    Errors { program: String, errors: u64 },
    #[error("the browser: {0}")]
    Browser(String),
    #[error("interrupted")]
    Interrupted,
    #[error("{0:?} is not among what can be measured; docs/PERFORMANCE.md names what is")]
    Unknown(String),
    #[error(transparent)]
    Arguments(#[from] lexopt::Error),
    #[error("the load ran out of requests; give it a shorter time")]
    Exhausted,
}

impl Error {
    /// For what can go wrong with a file or a folder.
    pub(crate) fn file(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        |source| Self::File { path, source }
    }
}
