//! The text that a wallet reads from a QR code or a link: the address alone, or with the amount.
//!
//! Every wallet reads a plain address correctly. A URI with an amount may be misread by some wallets. Therefore only
//! Bitcoin's URI, which all wallets support, is shown by default, and tokens have none: the target of an EIP-681 URI of a
//! token is its contract, many wallets read only the target, and money that is sent to a contract is lost.

use crate::address::Address;
use crate::asset::{AssetInfo, Network};
use crate::state::CheckoutPayment;

/// In test mode, the text of the QR code, and what is copied as the address: no wallet can pay it.
pub const TEST_TEXT: &str = "tender test mode: do not pay";

/// The texts for a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentCodes {
    /// The address alone; the buyer enters the amount.
    pub address: Address,
    /// The address with the amount, if it is a native coin, its network has a standard for it, and its decimals are known.
    pub with_amount: Option<PaymentUri>,
}

/// A URI with the address and the amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentUri {
    /// The URI: `bitcoin:...` or `ethereum:...`.
    pub uri: String,
    /// The standard of the URI.
    pub standard: Standard,
}

/// The standard of a payment URI, which determines how well wallets support it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// `bitcoin:<address>?amount=<decimal>` (BIP-21, BIP-321): supported everywhere.
    Bitcoin,
    /// `ethereum:<address>@<chain id>?value=<wei>` (EIP-681): some wallets ignore the chain.
    EvmCoin,
}

impl PaymentCodes {
    /// Returns `None` if the wallet is not an address of the chosen token's network, and in test mode.
    ///
    /// The URI contains an amount only if the record's decimals equal the known ones. Otherwise the amount could be
    /// wrong.
    pub fn of(payment: &CheckoutPayment) -> Option<Self> {
        let choice = &payment.choice;
        if choice.test_mode {
            return None;
        }
        let asset = AssetInfo::of(&choice.code)?;
        let address = Address::parse(&payment.record.wallet, &asset)?;
        let is_exact = choice.decimals == Some(asset.decimals) && !payment.accepts_any_amount();
        let with_amount = if is_exact {
            PaymentUri::new(&address, &asset, payment)
        } else {
            None
        };
        Some(Self {
            address,
            with_amount,
        })
    }
}

impl PaymentUri {
    /// Returns `None` for TRON, which has no standard, and for tokens.
    fn new(address: &Address, asset: &AssetInfo, payment: &CheckoutPayment) -> Option<Self> {
        // The amount has no more digits than the token's decimals, so this doesn't round. It only removes trailing
        // zeros, which some wallets would misread.
        let (amount, _) = payment.send.amount.round_up(asset.decimals);
        let units = amount.to_base_units(asset.decimals);
        let payee = address.as_str();
        let (uri, standard) = match (asset.network, asset.contract) {
            (Network::Tron, _) | (_, Some(_)) => return None,
            (Network::Bitcoin, None) => (
                format!("bitcoin:{payee}?amount={amount}"),
                Standard::Bitcoin,
            ),
            (Network::Evm(chain_id), None) => (
                format!("ethereum:{payee}@{chain_id}?value={units}"),
                Standard::EvmCoin,
            ),
        };
        Some(Self { uri, standard })
    }

    /// Whether it is shown by default.
    pub fn is_default(&self) -> bool {
        self.standard == Standard::Bitcoin
    }
}
