//! Wallet addresses.
//!
//! The service's document does not give the format of `wallet`. For a network whose format is known, only a valid
//! address, checksum included, is accepted. It can then be shown as a QR code and passed to wallets.

mod eip55;
mod segwit;

use crate::asset::{AssetInfo, Network};

/// An address in the format of its network, as the service wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

/// Version bytes of base58check on Bitcoin's main network: P2PKH (`1...`) and P2SH (`3...`).
const BITCOIN_VERSIONS: &[u8] = &[0x00, 0x05];

/// The version byte of base58check on TRON (`T...`).
const TRON_VERSIONS: &[u8] = &[0x41];

impl Address {
    /// Returns `None` if `wallet` is not a valid address of the token's network: Bitcoin's main network in base58check,
    /// bech32 (BIP-173) or bech32m (BIP-350); TRON in base58check; EVM chains in hexadecimal digits, with a valid
    /// EIP-55 checksum if the address has one. An address of zeros and the contract of a token are refused, because money
    /// that is sent to them is lost.
    pub fn parse(wallet: &str, asset: &AssetInfo) -> Option<Self> {
        let is_valid = match asset.network {
            Network::Bitcoin => {
                segwit::is_valid(wallet) || is_base58check(wallet, BITCOIN_VERSIONS)
            }
            Network::Tron => is_base58check(wallet, TRON_VERSIONS),
            Network::Evm(_) => eip55::is_valid(wallet),
        };
        (is_valid && !AssetInfo::is_contract(wallet)).then(|| Self(wallet.to_owned()))
    }

    /// The address, unchanged.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A part of an address as it is displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressGroup<'a> {
    /// Its characters.
    pub text: &'a str,
    /// Whether it belongs to an end of the address, which the buyer is asked to compare.
    pub is_end: bool,
}

/// Characters of an address in one group, but for the last one.
const GROUP: usize = 4;

/// Groups at each end of an address that the buyer is asked to compare.
const COMPARED: usize = 2;

/// The wallet in groups of four characters, which are easier to compare. `0x` is a group of its own. Other texts than
/// letters and digits, such as an address with a memo, are one group.
pub fn address_groups(wallet: &str) -> Vec<AddressGroup<'_>> {
    if !wallet.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return vec![AddressGroup {
            text: wallet,
            is_end: false,
        }];
    }
    let (prefix, mut rest) = match wallet.strip_prefix("0x") {
        Some(rest) => (Some("0x"), rest),
        None => (None, wallet),
    };
    let mut groups = Vec::new();
    while let Some((group, others)) = rest.split_at_checked(GROUP) {
        groups.push(group);
        rest = others;
    }
    groups.push(rest);
    groups.retain(|group| !group.is_empty());
    let count = groups.len();
    let groups = groups
        .into_iter()
        .enumerate()
        .map(|(at, text)| AddressGroup {
            text,
            is_end: at < COMPARED || at + COMPARED >= count,
        });
    let prefix = prefix.map(|text| AddressGroup { text, is_end: true });
    prefix.into_iter().chain(groups).collect()
}

/// Whether `text` consists of one of these version bytes, a hash of 20 bytes that are not all zero, and the checksum of both.
fn is_base58check(text: &str, versions: &[u8]) -> bool {
    // The buffer has room for exactly the checksum too, so decoding a longer text fails early.
    let mut bytes = [0; 1 + 20 + 4];
    let read = bs58::decode(text).with_check(None).onto(&mut bytes);
    let [version, hash @ ..] = bytes;
    let is_zero = hash.iter().take(20).all(|byte| *byte == 0);
    read == Ok(1 + 20) && versions.contains(&version) && !is_zero
}
