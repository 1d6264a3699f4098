//! What a wallet reads, from a QR code or by a link: the address alone, or with the amount.
//!
//! The address alone is safe with every wallet. A URI with the amount is as good as the wallet that
//! reads it, so only Bitcoin's, which all of them know, is what is shown first.

use crate::address::Address;
use crate::asset::{AssetInfo, Network};
use crate::state::Awaiting;

/// The forms in which a wallet can be told what to pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentCodes {
    /// The address alone; the buyer types the amount.
    pub address: Address,
    /// Both, where the network has an adopted form for it and the token's unit is known.
    pub with_amount: Option<PaymentUri>,
}

/// A URI that holds the address and the amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentUri {
    /// The URI: `bitcoin:...` or `ethereum:...`.
    pub uri: String,
    /// How it is written.
    pub standard: Standard,
}

/// How a payment URI is written, and so which wallets read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// `bitcoin:<address>?amount=<decimal>` (BIP-21, BIP-321): read everywhere.
    Bitcoin,
    /// `ethereum:<address>@<chain id>?value=<wei>` (EIP-681): a wallet may overlook the chain.
    EvmCoin,
    /// `ethereum:<contract>@<chain id>/transfer?address=<payee>&uint256=<units>` (EIP-681): many
    /// wallets read the target and no further. It is the contract, and what is sent there is lost.
    EvmToken,
}

impl PaymentCodes {
    /// `None` where the wallet is no address of the chosen token's network.
    ///
    /// An amount is put into a URI only where the record's decimals, if it has any, are the ones
    /// that are known here: a unit that is in doubt would be an amount that is wrong.
    #[must_use]
    pub fn of(awaiting: &Awaiting) -> Option<Self> {
        let choice = &awaiting.choice;
        let asset = AssetInfo::of(&choice.code)?;
        let address = Address::parse(&awaiting.payment.wallet, &asset)?;
        let is_exact = choice.decimals == Some(asset.decimals) && !awaiting.accepts_any_amount();
        let with_amount = if is_exact {
            PaymentUri::new(&address, &asset, awaiting)
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
    /// `None` on TRON, which has no adopted standard.
    fn new(address: &Address, asset: &AssetInfo, awaiting: &Awaiting) -> Option<Self> {
        // The amount to send has no more digits than the token, so this rounds nothing: at the most
        // it drops zeros, of which a wallet that counts places would make an error.
        let (amount, _) = awaiting.send.amount.round_up(asset.decimals);
        let units = amount.to_base_units(asset.decimals).digits;
        let payee = address.as_str();
        let (uri, standard) = match (asset.network, asset.contract) {
            (Network::Tron, _) => return None,
            (Network::Bitcoin, _) => (
                format!("bitcoin:{payee}?amount={amount}"),
                Standard::Bitcoin,
            ),
            (Network::Evm(chain_id), None) => (
                format!("ethereum:{payee}@{chain_id}?value={units}"),
                Standard::EvmCoin,
            ),
            (Network::Evm(chain_id), Some(contract)) => (
                format!("ethereum:{contract}@{chain_id}/transfer?address={payee}&uint256={units}"),
                Standard::EvmToken,
            ),
        };
        Some(Self { uri, standard })
    }

    /// Whether it is shown before the buyer asks for it.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.standard == Standard::Bitcoin
    }
}
