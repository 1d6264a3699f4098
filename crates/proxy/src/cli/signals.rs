//! The signals that reload the configuration or stop the program.

use std::io;

use tokio::signal::unix::{self, SignalKind};

/// The handlers of signals. A signal that arrives while nothing waits for it is kept.
pub(super) struct Signals {
    hangup: unix::Signal,
    interrupt: unix::Signal,
    terminate: unix::Signal,
}

impl Signals {
    /// Installs the handlers. Without them, each of the signals ends the process at once.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            hangup: unix::signal(SignalKind::hangup())?,
            interrupt: unix::signal(SignalKind::interrupt())?,
            terminate: unix::signal(SignalKind::terminate())?,
        })
    }

    /// Waits for a signal. Returns whether it asks to reload (SIGHUP); otherwise it asks to stop (Ctrl-C or SIGTERM).
    pub(super) async fn next_is_reload(&mut self) -> bool {
        tokio::select! {
            _ = self.hangup.recv() => true,
            _ = self.interrupt.recv() => false,
            _ = self.terminate.recv() => false,
        }
    }

    /// Waits for the future; `None` if a signal asks to stop before it is done. A reload waits until
    /// [`Self::next_is_reload`].
    pub(super) async fn unless_stopped<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = future => Some(done),
            _ = self.interrupt.recv() => None,
            _ = self.terminate.recv() => None,
        }
    }
}
