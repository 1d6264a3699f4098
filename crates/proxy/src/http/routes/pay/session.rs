//! The cookie of a payment: it allows its browser to follow and cancel the payment, so that its address contains no secret.
//!
//! It is strictly necessary for what the buyer asks for, and ends with the browser's session. It contains the receipt, the
//! hash of the buyer's transaction if they have entered one, and the order, to pay with another token.

use aws_lc_rs::digest::{SHA256, digest};
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};

/// `__Host-` makes browsers refuse a cookie that another host, or a page without TLS, has set (RFC 6265bis, section 4.1.3.2).
const PREFIX: &str = "__Host-tender-";

/// The length of all cookies together, names included. All are sent with each request, and its head, which also has an order
/// in its address, has 16 KB.
const MAX_COOKIES: usize = 8 << 10;

/// The longest order, so that a browser keeps the cookie: it must be able to keep 4096 bytes (RFC 6265, section 6.1).
pub(super) const MAX_ORDER: usize = 3000;

/// The content of the cookie.
pub(crate) struct Session {
    pub(crate) receipt: String,
    /// Empty unless the buyer has entered one.
    pub(crate) hash: String,
    pub(crate) order: String,
}

/// The name of a payment in addresses. It is no secret, and not the transactionId, which the service chooses.
pub(super) fn name_of(transaction_id: &str) -> String {
    let digest = digest(&SHA256, transaction_id.as_bytes());
    let (prefix, _) = digest.as_ref().split_at(8);
    hex::encode(prefix)
}

impl Session {
    /// The session of the payment with this name.
    pub(crate) fn read(headers: &HeaderMap, name: &str) -> Option<Self> {
        let mut cookies = cookies(headers);
        let (_, value) = cookies.find(|(other, _)| *other == name)?;
        Self::parse(value)
    }

    /// The sessions of all payments.
    pub(crate) fn all(headers: &HeaderMap) -> impl Iterator<Item = Self> {
        cookies(headers).filter_map(|(_, value)| Self::parse(value))
    }

    fn parse(value: &str) -> Option<Self> {
        let mut parts = value.split('~');
        let (receipt, hash, order) = (parts.next()?, parts.next()?, parts.next()?);
        parts.next().is_none().then(|| Self {
            receipt: receipt.to_owned(),
            hash: hash.to_owned(),
            order: order.to_owned(),
        })
    }

    /// The values of `Set-Cookie`: of this session, and to remove the oldest others if all together are too long.
    pub(crate) fn cookies(&self, headers: &HeaderMap, name: &str) -> Vec<HeaderValue> {
        let Self {
            receipt,
            hash,
            order,
        } = self;
        let value = format!("{receipt}~{hash}~{order}");
        let length = |name: &str, value: &str| PREFIX.len() + name.len() + value.len();
        let mut room = MAX_COOKIES.saturating_sub(length(name, &value));
        // Browsers send older cookies first (RFC 6265, section 5.4).
        let mut others: Vec<_> = cookies(headers)
            .filter(|(other, _)| *other != name)
            .collect();
        others.reverse();
        let has_no_room = |(other, value): &(&str, &str)| {
            let left = room.checked_sub(length(other, value));
            room = left.unwrap_or(0);
            left.is_none()
        };
        let removed = others.into_iter().filter(has_no_room);
        let removed = removed.map(|(other, _)| set(other, "", "; Max-Age=0"));
        std::iter::once(set(name, &value, ""))
            .chain(removed)
            .flatten()
            .collect()
    }
}

fn set(name: &str, value: &str, more: &str) -> Option<HeaderValue> {
    let attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict";
    HeaderValue::try_from(format!("{PREFIX}{name}={value}{attributes}{more}")).ok()
}

/// The names of payments, and the values of their cookies.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let headers = headers.get_all(COOKIE).into_iter();
    let texts = headers.filter_map(|value| value.to_str().ok());
    let pairs = texts.flat_map(|text| text.split(';'));
    pairs.filter_map(|pair| pair.trim().strip_prefix(PREFIX)?.split_once('='))
}
