//! What a wallet is asked before it is asked to send the money.

use super::{WalletFailure, WalletId};

/// A wallet that is being prepared. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preparation {
    /// The wallet.
    pub wallet: WalletId,
    /// Whether to read what the account has, before the wallet is asked to send.
    pub checks_funds: bool,
    /// The number of the step. It matches an answer to its question.
    pub number: u32,
    /// What it waits for.
    pub step: WalletStep,
}

/// What the preparation of a wallet waits for, in this order, with the account to pay from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletStep {
    /// The account.
    Connecting,
    /// Whether the wallet is on the network, and why not if it was asked to switch.
    ReadingChain(String, Option<WalletFailure>),
    /// The switch to the network.
    SwitchingChain(String),
    /// Whether the account can pay.
    ReadingFunds(String),
    /// The proxy's mark that money may have been sent.
    Marking(String),
    /// The transaction (TRON).
    Building(String),
    /// Whether the account is still the same.
    ReadingAccount(String),
    /// Whether the network is still the same. Then the wallet is asked to send the money.
    ReadingChainAgain(String),
}

/// A question to a wallet. None sends anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletQuestion {
    /// Connect, which may ask the buyer; answered with an account.
    Connect,
    /// The account, without asking the buyer; answered with one.
    Account,
    /// Whether the wallet is on the network of the transfer.
    Chain,
    /// Switch to that network, which may ask the buyer.
    SwitchChain,
    /// Whether this account can pay, which only advises: an answer that takes too long counts as a yes.
    Funds(String),
    /// Build the transaction from this account (TRON).
    Build(String),
}

/// The answer to a question that was not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalletAnswer {
    /// An account.
    Account(String),
    /// The wallet has done it, or the answer is yes.
    Yes,
}

impl WalletStep {
    /// The question to the wallet.
    pub(crate) fn question(&self) -> Option<WalletQuestion> {
        Some(match self {
            Self::Connecting => WalletQuestion::Connect,
            Self::ReadingChain(..) | Self::ReadingChainAgain(_) => WalletQuestion::Chain,
            Self::SwitchingChain(_) => WalletQuestion::SwitchChain,
            Self::ReadingFunds(account) => WalletQuestion::Funds(account.clone()),
            Self::Marking(_) => return None,
            Self::Building(account) => WalletQuestion::Build(account.clone()),
            Self::ReadingAccount(_) => WalletQuestion::Account,
        })
    }

    /// Whether the proxy should have a mark.
    pub(crate) const fn needs_mark(&self) -> bool {
        match self {
            Self::Connecting
            | Self::ReadingChain(..)
            | Self::SwitchingChain(_)
            | Self::ReadingFunds(_) => false,
            Self::Marking(_)
            | Self::Building(_)
            | Self::ReadingAccount(_)
            | Self::ReadingChainAgain(_) => true,
        }
    }

    /// Whether the wallet may ask the buyer something.
    pub const fn may_ask_buyer(&self) -> bool {
        matches!(self, Self::Connecting | Self::SwitchingChain(_))
    }
}
