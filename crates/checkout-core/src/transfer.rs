//! The transaction that a browser wallet is asked to send.
//!
//! A wallet shows the buyer only the request. So there is a transfer only if every part of it can be verified: the
//! payee is a valid address of the token's network, checksum included; the amount is a whole number of the token's
//! smallest unit and equals the amount on the page; the chain and the contract come from [`AssetInfo`].

use serde::Serialize;

use crate::address::Address;
use crate::asset::{AssetInfo, Network};
use crate::choice::Choice;
use crate::send::AmountToSend;

/// The largest integer that JavaScript numbers represent exactly (ECMA-262, `Number.MAX_SAFE_INTEGER`). TRON's
/// libraries use such a number for amounts of TRX.
const MAX_SAFE_INTEGER: u128 = (1 << 53) - 1;

/// Selector of ERC-20's `transfer(address,uint256)`.
const TRANSFER: &str = "a9059cbb";

/// Selector of ERC-20's `balanceOf(address)`.
const BALANCE_OF: &str = "70a08231";

/// A transfer to request from a wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// From an Ethereum wallet.
    Evm(EvmTransfer),
    /// From a TRON wallet.
    Tron(TronTransfer),
}

/// A transaction on an EVM chain, in JSON-RPC encoding (EIP-1474).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvmTransfer {
    /// The chain id, as a quantity: `0x38`.
    pub chain_id: String,
    /// The payee, or the token's contract.
    pub to: String,
    /// The amount in wei, as a quantity; `0x0` for a token.
    pub value: String,
    /// The call data for the token's contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}

/// The parameter of `eth_call`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvmCall<'a> {
    /// The contract.
    pub to: &'a str,
    /// The call data.
    pub data: String,
}

/// The parameter of `eth_sendTransaction`.
///
/// Contains the chain id, so that the wallet checks it: the buyer may have switched chains in the meantime.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvmTransaction<'a> {
    /// The paying account.
    pub from: &'a str,
    /// The transaction.
    #[serde(flatten)]
    pub transfer: &'a EvmTransfer,
}

/// A transfer on TRON, as arguments for `TronWeb`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TronTransfer {
    /// The payee, in base58check.
    pub to: String,
    /// In decimal digits: sun, or the token's smallest unit.
    pub amount: String,
    /// The token's contract (TRC-20); `None` for TRX.
    pub contract: Option<&'static str>,
}

impl Transfer {
    /// The transfer of `send` to `wallet`, if everything about it is known. There is none in test mode, because the money
    /// would be lost.
    pub fn new(choice: &Choice, send: &AmountToSend, wallet: &str) -> Option<Self> {
        let asset = AssetInfo::of(&choice.code)?;
        // With other decimals, it is not the known token.
        let is_known = choice.decimals == Some(asset.decimals);
        if choice.test_mode || !is_known || send.amount.is_zero() {
            return None;
        }
        let to = Address::parse(wallet, &asset)?;
        let units = send.amount.to_base_units(asset.decimals);
        // An amount that doesn't fit is more than exists of any token.
        let amount: u128 = units.parse().ok()?;
        match asset.network {
            Network::Bitcoin => None,
            Network::Tron => {
                let is_safe = asset.contract.is_some() || amount <= MAX_SAFE_INTEGER;
                is_safe.then(|| {
                    Self::Tron(TronTransfer {
                        to: to.as_str().to_owned(),
                        amount: units,
                        contract: asset.contract,
                    })
                })
            }
            Network::Evm(chain) => Some(Self::Evm(EvmTransfer::new(
                chain,
                to.as_str(),
                amount,
                asset.contract,
            ))),
        }
    }
}

impl EvmTransfer {
    fn new(chain: u64, payee: &str, amount: u128, contract: Option<&str>) -> Self {
        let chain_id = format!("{chain:#x}");
        match contract {
            // Encodes the arguments, 32 bytes each (Solidity ABI).
            Some(contract) => Self {
                chain_id,
                to: contract.to_owned(),
                value: "0x0".to_owned(),
                data: Some(format!(
                    "0x{TRANSFER}{:0>64}{amount:064x}",
                    payee
                        .strip_prefix("0x")
                        .unwrap_or(payee)
                        .to_ascii_lowercase()
                )),
            },
            None => Self {
                chain_id,
                to: payee.to_owned(),
                value: format!("{amount:#x}"),
                data: None,
            },
        }
    }

    /// Whether a provider that answers `eth_chainId` with this text is on the chain. Some answer with another spelling than
    /// that of EIP-695, or with a number.
    pub fn is_on(&self, chain: &str) -> bool {
        let number = chain_number(chain);
        number.is_some() && number == chain_number(&self.chain_id)
    }

    /// The call that reads an account's balance of the token (ERC-20, `balanceOf(address)`); `None` for a native coin.
    pub fn balance_call(&self, account: &str) -> Option<EvmCall<'_>> {
        self.data.as_ref()?;
        let account = account.strip_prefix("0x")?.to_ascii_lowercase();
        Some(EvmCall {
            to: &self.to,
            data: format!("0x{BALANCE_OF}{account:0>64}"),
        })
    }

    /// The transaction from the account `from`. Returns `None` if `from`, which the wallet returned, is not an address.
    pub fn transaction<'a>(&'a self, from: &'a str) -> Option<EvmTransaction<'a>> {
        let digits = from.strip_prefix("0x")?;
        let is_address = digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_address.then_some(EvmTransaction {
            from,
            transfer: self,
        })
    }
}

/// The number of a chain, in decimal digits, or after `0x` in hexadecimal ones.
fn chain_number(text: &str) -> Option<u64> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((text, 10), |hex| (hex, 16));
    let number = digits.chars().try_fold(0_u64, |number, digit| {
        let number = number.checked_mul(radix.into())?;
        number.checked_add(digit.to_digit(radix)?.into())
    });
    number.filter(|_| !digits.is_empty())
}
