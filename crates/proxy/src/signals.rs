//! The signals that reload the configuration or stop the program.

use std::io;

use tokio::signal::unix::{self, SignalKind};

/// The action that a signal requests.
pub(crate) enum Signal {
    /// SIGHUP.
    Reload,
    /// Ctrl-C or SIGTERM.
    Stop,
}

/// The handlers of signals. A signal that arrives while nothing waits for it is kept.
pub(crate) struct Signals {
    hangup: unix::Signal,
    interrupt: unix::Signal,
    terminate: unix::Signal,
}

impl Signals {
    /// Installs the handlers. Without them, each of the signals ends the process at once.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            hangup: unix::signal(SignalKind::hangup())?,
            interrupt: unix::signal(SignalKind::interrupt())?,
            terminate: unix::signal(SignalKind::terminate())?,
        })
    }

    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.hangup.recv() => Signal::Reload,
            _ = self.interrupt.recv() => Signal::Stop,
            _ = self.terminate.recv() => Signal::Stop,
        }
    }

    /// Waits for the future; `None` if a signal asks to stop before it is done. A reload waits until
    /// [`Self::next`].
    pub(crate) async fn unless_stopped<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = future => Some(done),
            _ = self.interrupt.recv() => None,
            _ = self.terminate.recv() => None,
        }
    }
}
