//! The cookie of an order: what this browser did with its payment. The payment itself is found by the order.
//!
//! It is strictly necessary for what the buyer asks for, and ends with the browser's session. It contains the name of the payment
//! that this browser created or marked, the hash of the buyer's transaction if they have entered one, and the secret that
//! removes the mark that money may have been sent.

use aws_lc_rs::digest::{SHA256, digest};
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};

/// `__Host-` makes browsers refuse a cookie that another host, or a page without TLS, has set (RFC 6265bis, section 4.1.3.2).
const PREFIX: &str = "__Host-tender-";

/// The length of all cookies together, names included. All are sent with each request, and its head, which also has an order
/// in its address, has 16 KB.
const MAX_COOKIES: usize = 8 << 10;

/// The content of the cookie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OrderCookie {
    payment: String,
    /// Empty unless the buyer has entered one.
    pub(crate) hash: String,
    /// Empty unless this browser has marked the payment.
    pub(crate) secret: String,
}

/// A short name for a text: of a payment or of an order.
pub(super) fn short_digest(text: &str) -> String {
    let digest = digest(&SHA256, text.as_bytes());
    let (prefix, _) = digest.as_ref().split_at(8);
    hex::encode(prefix)
}

impl OrderCookie {
    /// The cookie of a payment that this browser has created or marked.
    pub(super) fn of(transaction_id: &str) -> Self {
        Self {
            payment: short_digest(transaction_id),
            ..Self::default()
        }
    }

    /// Whether it is about this payment.
    pub(super) fn is_of(&self, transaction_id: Option<&str>) -> bool {
        transaction_id.is_some_and(|id| self.payment == short_digest(id))
    }

    pub(crate) fn read(headers: &HeaderMap, invoice_number: &str) -> Option<Self> {
        let name = short_digest(invoice_number);
        let mut cookies = cookies(headers);
        let (_, value) = cookies.find(|(other, _)| *other == name)?;
        let mut parts = value.split('~');
        let (payment, hash, secret) = (parts.next()?, parts.next()?, parts.next()?);
        parts.next().is_none().then(|| Self {
            payment: payment.to_owned(),
            hash: hash.to_owned(),
            secret: secret.to_owned(),
        })
    }

    /// The values of `Set-Cookie`: of this cookie, and to remove the oldest others if all together are too long.
    pub(crate) fn cookies(&self, headers: &HeaderMap, invoice_number: &str) -> Vec<HeaderValue> {
        let name = short_digest(invoice_number);
        let value = format!("{}~{}~{}", self.payment, self.hash, self.secret);
        let length = |name: &str, value: &str| PREFIX.len() + name.len() + value.len();
        let mut room = MAX_COOKIES.saturating_sub(length(&name, &value));
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
        std::iter::once(set(&name, &value, ""))
            .chain(removed)
            .flatten()
            .collect()
    }
}

fn set(name: &str, value: &str, more: &str) -> Option<HeaderValue> {
    let attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict";
    HeaderValue::try_from(format!("{PREFIX}{name}={value}{attributes}{more}")).ok()
}

/// The names of orders, and the values of their cookies.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let headers = headers.get_all(COOKIE).into_iter();
    let texts = headers.filter_map(|value| value.to_str().ok());
    let pairs = texts.flat_map(|text| text.split(';'));
    pairs.filter_map(|pair| pair.trim().strip_prefix(PREFIX)?.split_once('='))
}
