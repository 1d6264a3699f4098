//! What can keep a measurement from being one.

use std::io;
use std::path::PathBuf;

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
    #[error("the load ran out of requests; give it a shorter time")]
    Exhausted,
}
