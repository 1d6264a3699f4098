//! Addresses of wallets.
//!
//! The service's document does not give the format of `wallet`. What is an address of the token's
//! network, its checksum included, can be put into a QR code and handed to a wallet; anything else
//! is shown as it came, and is nothing but text.

mod eip55;
mod segwit;

use crate::asset::{AssetInfo, Network};

/// An address that has the form of its network, as the service wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

/// Version bytes of base58check on Bitcoin's main network: pay to public key hash (`1...`), pay to
/// script hash (`3...`).
const BITCOIN_VERSIONS: &[u8] = &[0x00, 0x05];

/// The version byte of base58check on TRON (`T...`).
const TRON_VERSIONS: &[u8] = &[0x41];

impl Address {
    /// `None` where `wallet` is no address of the token's network: Bitcoin's main network in
    /// base58check, bech32 (BIP-173) or bech32m (BIP-350); TRON in base58check; Ethereum and its
    /// kin in hexadecimal digits, with the checksum of EIP-55 where they state one.
    #[must_use]
    pub fn parse(wallet: &str, asset: &AssetInfo) -> Option<Self> {
        let is_valid = match asset.network {
            Network::Bitcoin => {
                segwit::is_valid(wallet) || is_base58check(wallet, BITCOIN_VERSIONS)
            }
            Network::Tron => is_base58check(wallet, TRON_VERSIONS),
            Network::Evm(_) => eip55::is_valid(wallet),
        };
        is_valid.then(|| Self(wallet.to_owned()))
    }

    /// The address, letter for letter as the service wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether `text` is one of these version bytes, a hash of 20 bytes, and the checksum of both.
fn is_base58check(text: &str, versions: &[u8]) -> bool {
    // With room for the checksum, and for nothing more: a long text ends the reading early.
    let mut bytes = [0; 1 + 20 + 4];
    let read = bs58::decode(text).with_check(None).onto(&mut bytes);
    let [version, ..] = bytes;
    read == Ok(1 + 20) && versions.contains(&version)
}
