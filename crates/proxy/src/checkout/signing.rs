//! Signs orders, for payment links and on the command line. Whatever is refused when it is paid is refused
//! before it is signed.

use std::time::Duration;

use jiff::{Span, SpanRelativeTo};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde::Serialize;
use tender_checkout_core::asset::AssetInfo;
use tender_protocol::request::OrderClaims;
use tender_protocol::{LinkLimits, NewOrder, PaymentLink, TokenCode};

use super::purchase;
use crate::clock::{DAY, since_1970};
use crate::config::{Config, OrderKey, Secret, Server};
use crate::error::Error;
use crate::order::{MAX_LENGTH, check_return_url};

/// An order that is not signed yet.
pub(crate) struct UnsignedOrder {
    pub(crate) claims: OrderClaims,
    /// The page of the shop to which the buyer can go back.
    pub(crate) return_url: Option<String>,
    pub(crate) valid_for: Duration,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SignedClaims<'a> {
    #[serde(flatten)]
    claims: &'a OrderClaims,
    #[serde(skip_serializing_if = "Option::is_none")]
    return_url: Option<&'a str>,
    exp: u64,
}

impl UnsignedOrder {
    /// Signs the order, unless the proxy or the service would refuse it. `max_days` is how long it may be valid.
    pub(crate) fn sign(
        &self,
        kid: Option<&str>,
        secret: &Secret,
        max_days: u16,
    ) -> Result<String, Error> {
        self.check(max_days)?;
        let header = Header {
            kid: kid.map(str::to_owned),
            ..Header::new(Algorithm::HS256)
        };
        let claims = SignedClaims {
            claims: &self.claims,
            return_url: self.return_url.as_deref(),
            exp: (since_1970().as_secs()).saturating_add(self.valid_for.as_secs()),
        };
        let key = EncodingKey::from_secret(secret.as_bytes());
        let order = encode(&header, &claims, &key).map_err(Error::internal)?;
        let length = order.len();
        if length > MAX_LENGTH {
            return Err(Error::InvalidRequest(format!(
                "it would have {length} characters, and may have {MAX_LENGTH}; shorten its texts"
            )));
        }
        Ok(order)
    }

    fn check(&self, max_days: u16) -> Result<(), Error> {
        if self.valid_for > DAY * u32::from(max_days) {
            return Err(Error::InvalidRequest(format!(
                "`expires` is more than {max_days} days, which `order_max_days` allows"
            )));
        }
        let payment_token = self.claims.token.clone();
        let payment = purchase::of_order(self.claims.clone(), payment_token, None)?;
        let decimals = AssetInfo::of(&payment.token).map(|asset| asset.decimals);
        let too_exact = purchase::too_exact(&payment.quantity, &payment.token, decimals);
        if let Some(reason) = too_exact {
            return Err(Error::InvalidRequest(reason));
        }
        purchase::check(&payment, false)?;
        check_return_url(self.return_url.as_deref()).map_err(Error::InvalidRequest)
    }
}

/// Parses how long an order is valid: `7d`, `12h` or `30m`.
pub(crate) fn valid_for(text: &str) -> Result<Duration, &'static str> {
    let span = text.parse::<Span>().ok();
    let time = span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()).ok());
    let time = time.and_then(|time| Duration::try_from(time).ok());
    let time = time.filter(|time| time.as_secs() > 0);
    time.ok_or("`expires` is how long the order is valid; write 7d, 12h or 30m, for example")
}

/// Signs payment links with a key of its own, within the operator's limits.
pub(crate) struct LinkSigner {
    kid: String,
    secret: Secret,
    pub(crate) limits: LinkLimits,
    server: Server,
}

impl LinkSigner {
    /// `secret` is the key in the database.
    pub(crate) fn new(config: &Config, secret: Secret) -> Self {
        Self {
            kid: config.payment_links.kid.clone(),
            secret,
            limits: config.payment_links.limits(),
            server: config.server.clone(),
        }
    }

    pub(crate) fn key(&self) -> OrderKey {
        OrderKey::hs256(Some(self.kid.clone()), &self.secret)
    }

    pub(crate) fn sign(&self, order: NewOrder) -> Result<PaymentLink, Error> {
        let order = UnsignedOrder {
            valid_for: self.checked(&order).map_err(Error::InvalidRequest)?,
            claims: OrderClaims {
                token: order.token,
                quantity: Some(order.quantity),
                invoice_number: order.invoice_number,
                item_number: None,
                purchase_email: None,
                purchase_name: None,
            },
            return_url: None,
        };
        let max_days = self.limits.max_days;
        let order = order.sign(Some(&self.kid), &self.secret, max_days)?;
        let url = self.server.payment_page_of(&order);
        let url = url.map_err(|reason| Error::Internal(reason.into()))?;
        Ok(PaymentLink { order, url })
    }

    /// How long the order is valid, if it is within the limits.
    fn checked(&self, order: &NewOrder) -> Result<Duration, String> {
        let LinkLimits {
            max_quantity,
            max_days,
        } = &self.limits;
        let token = &order.token;
        let Some(max) = max_quantity.get(token) else {
            let tokens: Vec<_> = max_quantity.keys().map(TokenCode::as_str).collect();
            return Err(format!("`token` must be one of {}", tokens.join(", ")));
        };
        if order.quantity > *max {
            return Err(format!(
                "`quantity` is more than {max} {token}, the maximum"
            ));
        }
        let valid_for = valid_for(&order.expires)?;
        if valid_for > DAY * u32::from(*max_days) {
            return Err(format!(
                "`expires` is more than {max_days} days, the maximum"
            ));
        }
        Ok(valid_for)
    }
}
