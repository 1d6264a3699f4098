//! Random numbers, which can't be guessed. The rest of the proxy takes them from here, so that a simulation can choose them.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};

use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand;

/// Fills the bytes with random ones.
///
/// # Errors
/// The system has no random numbers.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), Unspecified> {
    #[cfg(test)]
    if crate::simulation::doors::fill(bytes) {
        return Ok(());
    }
    rand::fill(bytes)
}

/// Hashes keys with a secret, so that nobody can choose keys with the same hash.
pub(crate) struct SecretHasher([u8; 16]);

impl SecretHasher {
    pub(crate) fn new() -> Self {
        let mut secret = [0; 16];
        // Random numbers are available on every platform; otherwise the hashes can be guessed.
        let _ = fill(&mut secret);
        Self(secret)
    }

    pub(crate) fn hash(&self, key: impl Hash) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one((self.0, key))
    }
}
