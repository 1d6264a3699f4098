//! The log of the program: lines on standard error.

use std::io::{self, Write};

use tender_protocol::{sanitize, sanitize_json};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::{Config, LogFormat};

/// Starts the log. Logs of other crates may contain secrets, so only their warnings are shown.
pub(super) fn start(config: &Config) {
    let level = config.logging.level;
    let shown = Targets::new()
        .with_default(level.min(LevelFilter::WARN))
        .with_target("tender_proxy", level);
    let lines = tracing_subscriber::fmt::layer().with_target(false);
    let lines = match config.logging.format {
        LogFormat::Text => lines.with_writer(|| SafeLines(sanitize)).boxed(),
        LogFormat::Json => lines
            .with_writer(|| SafeLines(sanitize_json))
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .boxed(),
    };
    tracing_subscriber::registry()
        .with(shown)
        .with(lines)
        .init();
}

/// Writes to standard error, with this function applied to each line: the values of requests and of the
/// payment service may contain characters that mislead a reader.
struct SafeLines(fn(&str) -> String);

impl Write for SafeLines {
    /// Takes a whole line, as the log writes it.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let safe = (self.0)(text.trim_end_matches('\n')) + "\n";
        io::stderr().write_all(safe.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
