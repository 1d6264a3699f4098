//! Text of messages.

use std::fmt::Display;

/// A number with a noun in singular or plural.
pub(crate) fn count<N: Copy + PartialEq + From<u8> + Display>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
