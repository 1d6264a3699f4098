//! Standard output and standard error.

use std::fmt::Display;
use std::io::{ErrorKind, Write as _};

use serde::Serialize;
use tender_protocol::{sanitize_csv, sanitize_json};

use crate::failure::Failure;
use crate::table::Table;

/// Writes data to standard output. A reader that closes the pipe early is not an error.
///
/// # Errors
/// Why it can't be written, for a message.
pub fn write_output(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("can't write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

pub(crate) fn output(text: &str) -> Result<(), Failure> {
    write_output(text).map_err(Failure::Failed)
}

/// Writes a table that fits into the terminal, and names the columns that don't.
pub(crate) fn table(table: Table) -> Result<(), Failure> {
    let (text, hidden) = table.text(width());
    output(&text)?;
    if !hidden.is_empty() {
        let hidden = hidden.join(", ");
        note(&format!(
            "Hidden, because the terminal is narrow: {hidden}."
        ));
    }
    Ok(())
}

pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string(value);
    let json = json.map_err(|error| Failure::Failed(error.to_string()))?;
    output(&format!("{}\n", sanitize_json(&json)))
}

/// Writes CSV, with the unsafe characters of its texts escaped: what reads the output of a pipe may be a
/// terminal after all.
pub(crate) fn csv(csv: &str) -> Result<(), Failure> {
    output(&sanitize_csv(csv))
}

/// Writes a message to standard error. A failure to write is ignored.
pub fn note(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A value as text; empty if there is none.
pub(crate) fn optional(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A number with a noun in singular or plural.
pub(crate) fn count<N: Copy + PartialEq + From<u8> + Display>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// The width of the terminal, if standard output is one.
fn width() -> Option<usize> {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map(|(width, _)| usize::from(width.0))
}
