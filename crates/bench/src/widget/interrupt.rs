//! Ctrl-C and SIGTERM end the measurement like an error, which stops all processes.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, ensure};

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub(super) fn watch() -> Result<()> {
    Ok(ctrlc::set_handler(|| {
        IS_INTERRUPTED.store(true, Ordering::Relaxed);
    })?)
}

pub(super) fn check() -> Result<()> {
    ensure!(!IS_INTERRUPTED.load(Ordering::Relaxed), "interrupted");
    Ok(())
}
