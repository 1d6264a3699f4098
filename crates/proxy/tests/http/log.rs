//! What the proxy writes to its log.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::level_filters::LevelFilter;
use tracing::subscriber::DefaultGuard;

/// The log of a test's thread, with all levels.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Collects lines until the guard is dropped.
    pub(crate) fn collect(self) -> DefaultGuard {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(LevelFilter::DEBUG)
            .with_ansi(false)
            .with_writer(move || self.clone());
        tracing::subscriber::set_default(subscriber.finish())
    }

    /// The number of lines with a text.
    pub(crate) fn lines_with(&self, text: &str) -> usize {
        let log = self.0.lock().unwrap();
        let log = String::from_utf8_lossy(&log);
        log.lines().filter(|line| line.contains(text)).count()
    }
}

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
