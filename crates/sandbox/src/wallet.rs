//! Demo addresses: valid addresses of each network, with checksums and without owners.
//!
//! An address is derived from the hash of a public key. Here the hash comes from the payment's
//! identifier and there is no key, so nobody can spend what is sent there: it is lost.

use bech32::{hrp, segwit};
use sha3::{Digest, Keccak256};
use uuid::Uuid;

/// The address format of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressFormat {
    /// Pay to witness public key hash: `bc1q...` (BIP-141, BIP-173).
    Bitcoin,
    /// Base58check of the byte 0x41 and 20 bytes: `T...`.
    Tron,
    /// 20 bytes in hexadecimal, with a checksum in the letters' case: `0x...` (EIP-55).
    Ethereum,
    /// An undocumented format ("its format: not shown").
    FreeForm,
}

/// The address of a payment. It is always the same for the same payment, and has no owner.
///
/// # Errors
/// Never for a hash of 20 bytes; the error type is bech32's.
pub(crate) fn unowned(
    addresses: AddressFormat,
    payment: Uuid,
) -> Result<String, segwit::EncodeError> {
    let digest = Keccak256::digest(payment.as_bytes());
    let (key_hash, _) = digest.split_at(20);
    Ok(match addresses {
        AddressFormat::Bitcoin => segwit::encode_v0(hrp::BC, key_hash)?,
        AddressFormat::Tron => bs58::encode([&[0x41], key_hash].concat())
            .with_check()
            .into_string(),
        AddressFormat::Ethereum => with_checksum(&hex::encode(key_hash)),
        AddressFormat::FreeForm => format!("KXP-{}", hex::encode_upper(key_hash)),
    })
}

/// Adds the EIP-55 checksum to an Ethereum address of 40 lower-case hexadecimal digits: a letter
/// becomes upper case if the corresponding digit of the hash is 8 or more.
fn with_checksum(address: &str) -> String {
    let hash = hex::encode(Keccak256::digest(address));
    let digits = address
        .chars()
        .zip(hash.chars())
        .map(|(digit, hash)| match hash {
            '8'..='f' => digit.to_ascii_uppercase(),
            _ => digit,
        });
    "0x".chars().chain(digits).collect()
}
