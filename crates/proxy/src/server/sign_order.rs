//! Signs an order with the operator's own key, for the command line.

use crate::checkout::signing::UnsignedOrder;
use crate::config::{Config, Secret};
use crate::error::Error;

/// A signed order, and the address of its payment page or why there is none.
#[derive(Debug)]
pub struct OrderAndAddress {
    /// The order, a JWT.
    pub order: String,
    /// The address, or the setting that is missing.
    pub address: Result<String, &'static str>,
}

/// Why an order is not signed.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// There is no shared secret with this `kid`.
    #[error(
        "no secret in `order_key` has the kid `{0}`; a public key can verify orders but not sign them"
    )]
    NoSuchKey(String),
    /// There is no shared secret.
    #[error(
        "`order_key` has no secret to sign with; a public key can verify orders but not sign them. Add a \
         secret, which `openssl rand -base64 32` generates"
    )]
    NoKey,
    /// A claim can't be used.
    #[error("the order was not signed: {0}")]
    Order(String),
}

/// Signs an order with the first secret of `order_key`, or with that of this `kid`.
///
/// # Errors
/// [`SignError`].
pub fn sign_order(
    config: &Config,
    kid: Option<&str>,
    order: &UnsignedOrder,
) -> Result<OrderAndAddress, SignError> {
    let (kid, secret) = key(config, kid)?;
    let order = order.sign(kid, secret).map_err(|error| {
        SignError::Order(match error {
            Error::InvalidRequest(reason) => reason,
            other => other.to_string(),
        })
    })?;
    let address = config.server.payment_page(&order);
    Ok(OrderAndAddress { order, address })
}

fn key<'a>(
    config: &'a Config,
    kid: Option<&str>,
) -> Result<(Option<&'a str>, &'a Secret), SignError> {
    let keys = config.orders.keys.iter();
    let mut keys = keys.filter_map(|key| Some((key.kid(), key.secret.as_ref()?)));
    match kid {
        None => keys.next().ok_or(SignError::NoKey),
        Some(kid) => {
            let found = keys.find(|(own, _)| *own == Some(kid));
            found.ok_or_else(|| SignError::NoSuchKey(kid.to_owned()))
        }
    }
}
