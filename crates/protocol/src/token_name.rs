//! How the tokens that the service accepts are named for people.
//!
//! Payment records name a token by its code in upper case (`USDTT`), which exchanges and wallets don't show. The
//! listing has names, but a record may be read without it.

use crate::code::{ACCEPTED, TokenCode};

/// The names of a token code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenName {
    /// The ticker, which several codes may share.
    pub symbol: &'static str,
    /// The network; `None` if the service's document does not say it.
    pub network: Option<&'static str>,
    /// What exchanges call transfers on this network in a withdrawal form; `None` for a coin with its network's name.
    pub standard: Option<&'static str>,
}

impl TokenName {
    /// The names of a code that the create endpoint accepts.
    ///
    /// A ticker that several codes share, such as `USDT`, names no network, so it is none of these codes.
    pub fn of(code: &TokenCode) -> Option<Self> {
        let mut accepted = ACCEPTED.iter();
        Some(accepted.find(|accepted| accepted.code == *code)?.name)
    }

    /// Whether `listed`, a network's name in the listing, is that of another network on which the service accepts a token. A name
    /// that is not known here is none.
    pub fn is_on_another(&self, listed: &str) -> bool {
        let listed = letters(listed);
        let is_listed = |name: Option<&str>| name.is_some_and(|name| letters(name) == listed);
        let others = ACCEPTED.iter().map(|token| token.name);
        self.network.is_some()
            && others
                .filter(|other| other.network != self.network)
                .any(|other| is_listed(other.network) || is_listed(other.standard))
    }

    /// Whether a network's name contains the standard already: `BNB Smart Chain (BEP-20)`.
    pub fn is_standard_in(&self, network: &str) -> bool {
        (self.standard).is_some_and(|standard| letters(network).contains(standard))
    }

    /// The network and the standard: `TRON (TRC20)`.
    pub fn network_and_standard(&self) -> Option<String> {
        let network = self.network?;
        Some(match self.standard {
            Some(standard) => format!("{network} ({standard})"),
            None => network.to_owned(),
        })
    }
}

/// A name without what different writers write differently.
fn letters(name: &str) -> String {
    name.replace(['-', ' '], "").to_ascii_uppercase()
}
