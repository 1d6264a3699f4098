//! Text of messages.

use std::error::Error;
use std::fmt::{Display, Write as _};

/// A number with a noun in singular or plural.
pub(crate) fn count<N: Copy + PartialEq + From<u8> + Display>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// The messages of an error and its causes, in one line.
pub(crate) fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Writing to a string can't fail.
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}
