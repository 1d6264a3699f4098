//! The offered tokens.

use tender_protocol::{Network, Token, TokenCode, TokenName};

use crate::asset::AssetInfo;
use crate::hidden::is_control;
use crate::link::{Explorer, SafeUrl};

/// A token that the buyer may pay with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The `paymentToken` of the request.
    pub code: TokenCode,
    /// Display name.
    pub name: String,
    /// Ticker symbol for display.
    pub symbol: String,
    /// Name of the network.
    pub network: String,
    /// Decimals of the token; `None` if neither the record nor [`AssetInfo`] has them.
    pub decimals: Option<u8>,
    /// The logo, if the record has an address that may be loaded.
    pub logo: Option<SafeUrl>,
    /// The network's block explorer, if the record has an address that may be linked.
    pub explorer: Option<Explorer>,
    /// Whether payments with it are tests, without real money: see [`test_mode`](tender_protocol::test_mode).
    pub test_mode: bool,
}

/// Longer names are truncated, because the listing is untrusted data and space is limited.
const MAX_NAME: usize = 60;

/// The token record of this choice.
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
            test_mode: choice.test_mode,
        }
    }
}

impl Choice {
    /// A token that the listing does not have, by the names that [`TokenName`] knows.
    pub(crate) fn unlisted(code: &TokenCode, test_mode: bool) -> Self {
        let upper = || code.as_str().to_ascii_uppercase();
        let name = TokenName::of(code);
        let symbol = name.map_or_else(upper, |name| name.symbol.to_owned());
        Self {
            name: symbol.clone(),
            network: name
                .and_then(|name| name.network)
                .map_or_else(upper, str::to_owned),
            symbol,
            decimals: AssetInfo::of(code).map(|asset| asset.decimals),
            logo: None,
            explorer: None,
            code: code.clone(),
            test_mode,
        }
    }

    /// The network with the name that exchanges show, such as `TRON (TRC20)`, unless the listing's name contains it.
    pub fn network_and_standard(&self) -> String {
        let name = TokenName::of(&self.code).filter(|name| !name.is_standard_in(&self.network));
        match name.and_then(|name| name.standard) {
            Some(standard) => format!("{} ({standard})", self.network),
            None => self.network.clone(),
        }
    }

    /// Whether the listing names another network than the code: it is not known where to send the money.
    pub(crate) fn is_contradictory(&self) -> bool {
        TokenName::of(&self.code).is_some_and(|name| name.is_on_another(&self.network))
    }

    /// Whether the network and the token share a name, so that naming the network says nothing more.
    pub fn is_named_as_its_network(&self) -> bool {
        self.network == self.symbol
    }
}

impl From<Token> for Choice {
    fn from(token: Token) -> Self {
        let network = token.network;
        Self {
            decimals: token
                .decimals
                .or_else(|| Some(AssetInfo::of(&token.token)?.decimals)),
            name: display_name(&token.name),
            symbol: display_name(&token.symbol),
            network: display_name(&network.name),
            logo: token.logo.as_deref().and_then(SafeUrl::parse),
            explorer: network.explorer.as_deref().and_then(Explorer::parse),
            code: token.token,
            test_mode: token.test_mode,
        }
    }
}

/// The accepted tokens of a listing, without those that it has on another network than their code says. If a code occurs
/// several times, the first record counts.
///
/// With `accept`, only those codes are offered, in that order. Otherwise the order is that of the listing, except that
/// `priced_in`, the token of the price, comes first, because it needs no conversion, and that tokens of one symbol follow
/// each other.
pub fn offer(tokens: Vec<Token>, accept: &[TokenCode], priced_in: &TokenCode) -> Vec<Choice> {
    let mut choices: Vec<Choice> = Vec::new();
    for token in tokens {
        let wanted = accept.is_empty() || accept.contains(&token.token);
        let offered = choices.iter().any(|choice| choice.code == token.token);
        if wanted && !offered && token.token.is_accepted() {
            let choice = Choice::from(token);
            if !choice.is_contradictory() {
                choices.push(choice);
            }
        }
    }
    // Moves the element without a sorting algorithm, which would add to the download size.
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
    if accept.is_empty() {
        by_symbol(choices)
    } else {
        choices
    }
}

/// Moves each token behind the last one before it that has its symbol.
fn by_symbol(choices: Vec<Choice>) -> Vec<Choice> {
    let mut grouped: Vec<Choice> = Vec::new();
    for choice in choices {
        let last = grouped
            .iter()
            .rposition(|other| other.symbol == choice.symbol);
        grouped.insert(last.map_or(grouped.len(), |at| at + 1), choice);
    }
    grouped
}

/// The name without control characters, and at most [`MAX_NAME`] characters of it.
pub fn display_name(name: &str) -> String {
    let mut visible = name.chars().filter(|character| !is_control(*character));
    let mut shown: String = visible.by_ref().take(MAX_NAME).collect();
    if visible.next().is_some() {
        shown.push('…');
    }
    shown
}
