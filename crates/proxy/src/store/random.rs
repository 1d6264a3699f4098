//! Random identifiers and secrets.

use aws_lc_rs::rand;

use super::database::{Error, Result};
use crate::clock::Millis;

/// Random bytes in hexadecimal.
pub(crate) fn random<const BYTES: usize>() -> Result<String> {
    let mut bytes = [0; BYTES];
    rand::fill(&mut bytes).map_err(Error::unwritable)?;
    Ok(hex::encode(bytes))
}

/// An id that starts with a time, so that new rows are adjacent in the index, and ends with random
/// digits.
pub(crate) fn id(now: Millis) -> Result<String> {
    Ok(format!("{now:012x}{}", random::<10>()?))
}
