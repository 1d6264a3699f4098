//! Token codes.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::token_name::TokenName;

/// The codes that the create endpoint accepts for `token` and `paymentToken` (the service's document, "Create a payment
/// request"), with their names for people.
///
/// This is the only list of them: when the service adds a code, add a line here.
pub const ACCEPTED: &[(TokenCode, TokenName)] = &[
    accepted("trx", "TRX", Some("TRON"), None),
    accepted("usdtt", "USDT", Some("TRON"), Some("TRC20")),
    accepted("usdte", "USDT", Some("Ethereum"), Some("ERC20")),
    accepted("bnb", "BNB", Some("BNB Smart Chain"), Some("BEP20")),
    accepted("kxp", "KXP", None, None),
    accepted("btc", "BTC", Some("Bitcoin"), None),
];

const fn accepted(
    code: &'static str,
    symbol: &'static str,
    network: Option<&'static str>,
    standard: Option<&'static str>,
) -> (TokenCode, TokenName) {
    let name = TokenName {
        symbol,
        network,
        standard,
    };
    (TokenCode(Cow::Borrowed(code)), name)
}

/// The accepted codes, for a message.
pub fn accepted_codes() -> String {
    let codes: Vec<_> = ACCEPTED.iter().map(|(code, _)| code.as_str()).collect();
    codes.join(", ")
}

/// A token code such as `usdtt`, in lower case as in requests.
///
/// Responses have codes in upper case, which are converted when they are read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, examples("usdtt")))]
pub struct TokenCode(Cow<'static, str>);

impl TokenCode {
    /// The code in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the service may mean this code by `name`: it returns codes in upper case, or a ticker such as `USDT`,
    /// which several codes may share. The code of another token, and a ticker that only fits others, name another token.
    pub fn may_be_named(&self, name: &str) -> bool {
        let name = Self::from(name);
        let fits = |code: &Self| code.as_str().starts_with(name.as_str());
        if name.is_accepted() {
            return name == *self;
        }
        fits(self) || !ACCEPTED.iter().any(|(code, _)| fits(code))
    }

    /// Whether the create endpoint accepts this code.
    pub fn is_accepted(&self) -> bool {
        ACCEPTED.iter().any(|(code, _)| code == self)
    }
}

impl From<&str> for TokenCode {
    fn from(code: &str) -> Self {
        Self(Cow::Owned(code.trim().to_ascii_lowercase()))
    }
}

impl From<String> for TokenCode {
    fn from(code: String) -> Self {
        code.as_str().into()
    }
}

impl fmt::Display for TokenCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
