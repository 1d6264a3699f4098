//! The signals that reload the configuration or stop the program.

use std::io;
#[cfg(unix)]
use tokio::signal::unix::{self as signal, SignalKind};

/// The action that a signal requests.
pub(crate) enum Signal {
    /// SIGHUP.
    Reload,
    /// Ctrl-C or SIGTERM.
    Stop,
}

/// The handlers of signals. A signal that arrives while nothing waits for it is kept.
#[cfg(unix)]
pub(crate) struct Signals {
    hangup: signal::Signal,
    interrupt: signal::Signal,
    terminate: signal::Signal,
}

#[cfg(unix)]
impl Signals {
    /// Installs the handlers. Without them, each of the signals ends the process at once.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            hangup: signal::signal(SignalKind::hangup())?,
            interrupt: signal::signal(SignalKind::interrupt())?,
            terminate: signal::signal(SignalKind::terminate())?,
        })
    }

    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.hangup.recv() => Signal::Reload,
            _ = self.interrupt.recv() => Signal::Stop,
            _ = self.terminate.recv() => Signal::Stop,
        }
    }

    async fn stop(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[expect(clippy::unnecessary_wraps, reason = "fails on Unix")]
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    pub(crate) async fn next(&mut self) -> Signal {
        self.stop().await;
        Signal::Stop
    }

    async fn stop(&mut self) {
        // If the signal can't be received, wait forever.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}

impl Signals {
    /// Waits for the future; `None` if a signal asks to stop before it is done. A reload waits until
    /// [`Self::next`].
    pub(crate) async fn unless_stopped<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = future => Some(done),
            () = self.stop() => None,
        }
    }
}
