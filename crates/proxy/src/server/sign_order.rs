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

/// Why an order is not signed, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SignError(String);

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
        let reason = match error {
            Error::InvalidRequest(reason) => reason,
            other => other.to_string(),
        };
        SignError(format!("the order was not signed: {reason}"))
    })?;
    let address = config.server.payment_page_of(&order);
    Ok(OrderAndAddress { order, address })
}

fn key<'a>(
    config: &'a Config,
    kid: Option<&str>,
) -> Result<(Option<&'a str>, &'a Secret), SignError> {
    let keys = config.orders.keys.iter();
    let mut keys = keys.filter_map(|key| Some((key.kid(), key.secret.as_ref()?)));
    let found = match kid {
        None => keys.next(),
        Some(kid) => keys.find(|(own, _)| *own == Some(kid)),
    };
    found.ok_or_else(|| {
        let missing = match kid {
            None => "`order_key` has no secret to sign with".to_owned(),
            Some(kid) => format!("no secret in `order_key` has the kid `{kid}`"),
        };
        SignError(format!(
            "{missing}; a public key can verify orders but not sign them. Add a secret, which \
             `openssl rand -base64 32` generates"
        ))
    })
}
