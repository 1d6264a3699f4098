//! Whether an account can pay a transfer and its fee, by what the wallet's provider says. What it does not say counts as
//! enough.

use super::Shortfall;
use crate::transfer::{EvmTransfer, TronTransfer};

/// What is known about an Ethereum account and its transaction, as quantities in hexadecimal digits (EIP-1474).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvmFunds {
    /// `eth_getBalance`, in wei.
    pub coin: Option<String>,
    /// `balanceOf` of the token's contract, in its smallest unit.
    pub token: Option<String>,
    /// `eth_estimateGas`.
    pub gas: Option<String>,
    /// `eth_gasPrice`, in wei.
    pub gas_price: Option<String>,
}

/// What is known about a TRON account and its transaction, from `TronWeb`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TronFunds {
    /// `trx.getBalance`, in sun.
    pub coin: Option<u64>,
    /// `balanceOf` of the token's contract, in hexadecimal digits.
    pub token: Option<String>,
    /// `energy_used` of the simulated transfer.
    pub energy: Option<u64>,
    /// The energy that the account has without burning TRX.
    pub free_energy: u64,
    /// The bandwidth that the account has without burning TRX.
    pub free_bandwidth: u64,
    /// The chain parameter `getEnergyFee`: sun per unit of energy.
    pub energy_price: Option<u64>,
    /// The chain parameter `getTransactionFee`: sun per byte.
    pub bandwidth_price: Option<u64>,
}

/// The size of a signed transfer in bytes, about: TRX, and a token.
const TRX_BYTES: u64 = 268;
const TOKEN_BYTES: u64 = 345;

/// Sun in a TRX.
const TRX: u64 = 1_000_000;

/// Wei in the unit of [`Shortfall::Fee`], a millionth of a coin.
const MILLIONTH: u64 = 1_000_000_000_000;

/// A quantity in hexadecimal digits. What is too large for a `u128` is more than anything that is compared with it.
pub(super) fn quantity(hex: &str) -> Option<u128> {
    let digits = hex.strip_prefix("0x").unwrap_or(hex);
    let mut number: u128 = 0;
    for digit in digits.chars() {
        let digit = digit.to_digit(16)?;
        number = number.saturating_mul(16).saturating_add(digit.into());
    }
    (!digits.is_empty()).then_some(number)
}

fn small(hex: Option<&String>) -> Option<u64> {
    quantity(hex?)?.try_into().ok()
}

impl EvmTransfer {
    /// What the account lacks; `None` if nothing is known to be missing.
    pub fn shortfall(&self, funds: &EvmFunds) -> Option<Shortfall> {
        let coin = funds.coin.as_deref().and_then(quantity);
        let value = quantity(&self.value)?;
        let is_short = match &self.data {
            Some(data) => {
                let amount = data.get(data.len().checked_sub(64)?..).and_then(quantity);
                let token = funds.token.as_deref().and_then(quantity);
                token
                    .zip(amount)
                    .is_some_and(|(token, amount)| token < amount)
            }
            None => coin.is_some_and(|coin| coin < value),
        };
        if is_short {
            return Some(Shortfall::Amount);
        }
        let fee = small(funds.gas.as_ref())?.checked_mul(small(funds.gas_price.as_ref())?)?;
        let is_enough = coin? >= value.saturating_add(fee.into());
        (!is_enough).then(|| Shortfall::Fee(fee.div_ceil(MILLIONTH)))
    }
}

impl TronTransfer {
    /// What the account lacks; `None` if nothing is known to be missing.
    ///
    /// TRX is burned for the bandwidth if the free one does not cover the whole transaction, and for the energy beyond the
    /// free one (<https://developers.tron.network/docs/paying-for-resources>).
    pub fn shortfall(&self, funds: &TronFunds) -> Option<Shortfall> {
        let amount: u64 = self.amount.parse().ok()?;
        let (is_short, value, bytes, energy) = if self.contract.is_some() {
            let token = funds.token.as_deref().and_then(quantity);
            let is_short = token.is_some_and(|token| token < amount.into());
            (is_short, 0, TOKEN_BYTES, funds.energy)
        } else {
            let is_short = funds.coin.is_some_and(|coin| coin < amount);
            (is_short, amount, TRX_BYTES, Some(0))
        };
        if is_short {
            return Some(Shortfall::Amount);
        }
        let burned = energy?.saturating_sub(funds.free_energy);
        let energy_fee = match burned {
            0 => 0,
            burned => burned.checked_mul(funds.energy_price?)?,
        };
        let bandwidth_fee = if funds.free_bandwidth < bytes {
            bytes.checked_mul(funds.bandwidth_price?)?
        } else {
            0
        };
        let fee = energy_fee.checked_add(bandwidth_fee)?;
        let is_enough = funds.coin? >= value.checked_add(fee)?;
        // An estimate, so whole TRX are enough.
        (!is_enough).then(|| Shortfall::Fee(fee.div_ceil(TRX).saturating_mul(TRX)))
    }
}
