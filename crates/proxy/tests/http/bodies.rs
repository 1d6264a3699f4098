//! Test support: orders, and the bodies of create requests.

use jsonwebtoken::{EncodingKey, Header, encode, get_current_timestamp};
use serde_json::{Value, json};

use crate::support::ORDER_SECRET;

/// The claims of an order that is valid for a minute, with some fields replaced.
pub(crate) fn claims(fields: Value) -> Value {
    let usual = json!({
        "token": "usdtt",
        "quantity": "25.00",
        "invoiceNumber": "INV-1",
        "exp": get_current_timestamp() + 60,
    });
    merged(usual, fields)
}

/// An order that the shop's backend has signed.
pub(crate) fn order(fields: Value) -> String {
    sign(&Header::default(), &claims(fields), ORDER_SECRET)
}

pub(crate) fn sign(header: &Header, claims: &Value, secret: &str) -> String {
    encode(header, claims, &EncodingKey::from_secret(secret.as_bytes())).unwrap()
}

/// A create request that pays an order in TRX.
pub(crate) fn paying(order: &str) -> Value {
    json!({ "order": order, "paymentToken": "trx" })
}

/// A create request that pays an order in another token.
pub(crate) fn paying_in(payment_token: &str, order: &str) -> Value {
    json!({ "order": order, "paymentToken": payment_token })
}

/// A create request without a signed order, with some fields replaced.
pub(crate) fn plain(fields: Value) -> Value {
    let usual = json!({
        "token": "usdtt",
        "quantity": "25.00",
        "paymentToken": "trx",
        "invoiceNumber": "INV-1",
    });
    merged(usual, fields)
}

/// Adds default fields that `fields` does not contain; null removes a field.
pub(crate) fn merged(mut usual: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("the fields are an object");
    };
    for (name, value) in fields {
        usual[name] = value;
    }
    usual
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    usual
}
