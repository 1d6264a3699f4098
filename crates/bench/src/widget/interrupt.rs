//! Ctrl-C and SIGTERM end the measurement like an error, which stops all processes.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub(super) fn watch() -> Result<(), Error> {
    ctrlc::set_handler(|| IS_INTERRUPTED.store(true, Ordering::Relaxed))
        .map_err(|error| Error::Browser(error.to_string()))
}

pub(super) fn check() -> Result<(), Error> {
    if IS_INTERRUPTED.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    Ok(())
}
