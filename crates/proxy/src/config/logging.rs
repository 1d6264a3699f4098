//! Settings of the log.

use clap::{Args, ValueEnum};
use tracing::level_filters::LevelFilter;

/// The log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Log")]
pub struct Logging {
    /// Format of the log: `text`, or `json` with one object per line
    #[arg(long, id = "log_format", value_name = "FORMAT", default_value = "text")]
    pub format: LogFormat,

    /// Least severe level that is logged: `off`, `error`, `warn`, `info`, `debug` or `trace`
    #[arg(long, id = "log_level", value_name = "LEVEL", default_value = "info")]
    pub level: LevelFilter,
}

/// Format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For humans.
    Text,
    /// One JSON object per line.
    Json,
}
