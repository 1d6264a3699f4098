//! Signed orders, with which the shop's backend sets the price instead of the page.
//!
//! An order is a JWT (RFC 7519) with the claims of [`OrderClaims`] and `exp`.

mod other_key;
pub(crate) mod validity;
pub(crate) mod verifier;

use std::time::Duration;

use serde::Deserialize;
use tender_protocol::ProblemCode;
use tender_protocol::client::url::UrlParts;
use tender_protocol::request::{OrderClaims, SignedOrder};

use self::validity::Validity;
use crate::config::RETENTION;

/// Far more than an order needs. Bounds the work of decoding.
pub(crate) const MAX_LENGTH: usize = 4096;

/// The longest order in a link: the head of a request, which also has cookies, has 16 KB.
pub(crate) const MAX_LINK: usize = 3000;

/// Allowed difference between the clocks of shop and proxy.
const LEEWAY: Duration = Duration::from_secs(30);

/// How long after its `exp` an order still leads to its payment, which can only be read then.
pub(crate) const READABLE: Duration = RETENTION;

/// The content of an order whose signature is valid.
pub(crate) struct VerifiedOrder {
    pub(crate) claims: OrderClaims,
    pub(crate) signed: SignedOrder,
    /// Until when its payment can be read, since 1970.
    pub(crate) readable_until: Duration,
    /// Why its payment may only be read.
    pub(crate) only_to_read: Option<OrderError>,
    /// The name of the key that verified it: its `kid`, or its number.
    pub(crate) key: String,
}

/// The claim that is only checked here, so that the shop learns of a mistake: the checkout links to it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReturnUrl {
    return_url: Option<String>,
}

/// Why an order was refused. The message may be shown to the buyer, and tells the shop's developer what to do.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum OrderError {
    /// What is said of it is always the same.
    #[error("{}", .0.detail())]
    Problem(ProblemCode),
    #[error(
        "The order {0}; reload the page to get a new one. If it is new, one of the clocks is wrong."
    )]
    Expired(String),
    #[error("The order is not valid yet: it {0}; check the clocks.")]
    NotYetValid(String),
    #[error("The order is longer than {0} characters.")]
    TooLong(usize),
    #[error("The order's header is not as documented: {0}.")]
    Header(&'static str),
    /// The header has `crit`, but no extensions are supported (RFC 7515, section 4.1.11).
    #[error("The order's header marks extensions as critical, and none are supported.")]
    Critical,
    #[error("The order was signed with another key: {0}.")]
    OtherKey(&'static str),
    #[error("The order's claims are not as documented: {0}.")]
    Claims(String),
}

impl OrderError {
    pub(crate) fn code(&self) -> ProblemCode {
        match self {
            Self::Problem(code) => *code,
            Self::Expired(_) => ProblemCode::OrderExpired,
            Self::NotYetValid(_) => ProblemCode::OrderNotYetValid,
            Self::TooLong(_) => ProblemCode::OrderTooLong,
            Self::Header(_) => ProblemCode::OrderMalformed,
            Self::OtherKey(_) => ProblemCode::OrderSignatureInvalid,
            Self::Critical | Self::Claims(_) => ProblemCode::OrderInvalid,
        }
    }
}

impl VerifiedOrder {
    /// Whether its payment may only be read.
    pub(crate) fn is_read_only(&self) -> bool {
        self.only_to_read.is_some()
    }

    /// Reads an order that this key has verified.
    fn read(json: &str, key: String, times: &Validity) -> Result<Self, OrderError> {
        let invalid = |error: serde_json::Error| OrderError::Claims(error.to_string());
        let ReturnUrl { return_url } = serde_json::from_str(json).map_err(invalid)?;
        check_return_url(return_url.as_deref()).map_err(OrderError::Claims)?;
        Ok(Self {
            claims: serde_json::from_str(json).map_err(invalid)?,
            signed: serde_json::from_str(json).map_err(invalid)?,
            readable_until: times.exp.saturating_add(LEEWAY + READABLE),
            only_to_read: None,
            key,
        })
    }
}

/// The checkout uses the same rule: https, or http on this machine.
pub(crate) fn check_return_url(url: Option<&str>) -> Result<(), String> {
    let fits = |url| UrlParts::split(url).is_some_and(|parts| parts.is_https_or_local());
    let fits = url.is_none_or(fits).then_some(());
    fits.ok_or_else(|| "`returnUrl` is not an https address".to_owned())
}
