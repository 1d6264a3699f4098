//! The tokens to offer.

use tender_protocol::{Network, Token, TokenCode};

use crate::asset::AssetInfo;
use crate::hidden::is_control;
use crate::link::{Explorer, LogoUrl};

/// A token that the buyer may pay with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the request will carry as `paymentToken`.
    pub code: TokenCode,
    /// Display name.
    pub name: String,
    /// Ticker symbol, as shown.
    pub symbol: String,
    /// Name of the network.
    pub network: String,
    /// Fractional digits of its smallest unit; `None` where neither the record nor the rail says.
    pub decimals: Option<u8>,
    /// Its picture, where the record names one that may be used.
    pub logo: Option<LogoUrl>,
    /// The network's explorer, where the record names one that may be used.
    pub explorer: Option<Explorer>,
}

/// Longer names are cut: a listing is data from elsewhere, and a page has only so much room.
const MAX_NAME: usize = 60;

/// What a listing would have to say for this choice.
impl From<&Choice> for Token {
    fn from(choice: &Choice) -> Self {
        Self {
            uuid: String::new(),
            name: choice.name.clone(),
            symbol: choice.symbol.clone(),
            token: choice.code.clone(),
            decimals: choice.decimals,
            logo: choice.logo.as_ref().map(|logo| logo.as_str().to_owned()),
            network: Network {
                name: choice.network.clone(),
                token: None,
                currency: None,
                explorer: choice
                    .explorer
                    .as_ref()
                    .map(|explorer| explorer.prefix().to_owned()),
                uuid: None,
            },
        }
    }
}

impl From<Token> for Choice {
    fn from(token: Token) -> Self {
        let network = token.network;
        Self {
            decimals: token
                .decimals
                .or_else(|| Some(AssetInfo::of(&token.token)?.decimals)),
            name: cut(&token.name),
            symbol: cut(&token.symbol),
            network: cut(&network.name),
            logo: token.logo.as_deref().and_then(LogoUrl::parse),
            explorer: network.explorer.as_deref().and_then(Explorer::parse),
            code: token.token,
        }
    }
}

/// The accepted tokens of a listing, each code once (its first record wins).
///
/// With `accept` only those codes are offered, in that order. Else the listing's order holds, but
/// for `priced_in`, the token of the price, which comes first: it needs no conversion.
#[must_use]
pub fn offer(tokens: Vec<Token>, accept: &[TokenCode], priced_in: &TokenCode) -> Vec<Choice> {
    let mut choices: Vec<Choice> = Vec::new();
    for token in tokens {
        let wanted = accept.is_empty() || accept.contains(&token.token);
        let offered = choices.iter().any(|choice| choice.code == token.token);
        if wanted && !offered && token.token.is_accepted() {
            choices.push(token.into());
        }
    }
    // Moved by hand: a handful of tokens is not worth a sorting algorithm to download.
    let first = if accept.is_empty() {
        std::slice::from_ref(priced_in)
    } else {
        accept
    };
    for code in first.iter().rev() {
        if let Some(at) = choices.iter().position(|choice| choice.code == *code) {
            let choice = choices.remove(at);
            choices.insert(0, choice);
        }
    }
    choices
}

/// The name without control characters, and at most [`MAX_NAME`] characters of it.
#[must_use]
pub fn cut(name: &str) -> String {
    let mut visible = name.chars().filter(|character| !is_control(*character));
    let mut cut: String = visible.by_ref().take(MAX_NAME).collect();
    if visible.next().is_some() {
        cut.push('…');
    }
    cut
}
