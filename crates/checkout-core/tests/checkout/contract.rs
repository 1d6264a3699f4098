//! The cases of `contract/`, with which programs in other languages are tested, too.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The addresses of a network.
#[derive(Deserialize)]
pub(crate) struct Network {
    pub(crate) name: String,
    /// The tokens that are paid on it.
    pub(crate) tokens: Vec<String>,
    pub(crate) cases: Vec<AddressCase>,
}

#[derive(Deserialize)]
pub(crate) struct AddressCase {
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) valid: bool,
    /// Whether it is no wallet's address, but looks like one.
    #[serde(default, rename = "hasFormat")]
    pub(crate) has_format: bool,
}

/// A payment, and the texts for wallets.
#[derive(Deserialize)]
pub(crate) struct UriCase {
    pub(crate) name: String,
    pub(crate) token: String,
    /// As in the token's record.
    pub(crate) decimals: Value,
    pub(crate) wallet: String,
    pub(crate) amount: String,
    pub(crate) expected: Value,
}

/// A signed order that a proxy accepts, and its claims.
#[derive(Deserialize)]
pub(crate) struct OrderCase {
    pub(crate) name: String,
    pub(crate) order: String,
    pub(crate) claims: Value,
}

/// A list of a file.
fn list<T: DeserializeOwned>(file: &str, name: &str) -> Vec<T> {
    let mut file: Value = serde_json::from_str(file).unwrap();
    serde_json::from_value(file[name].take()).unwrap()
}

pub(crate) fn networks() -> Vec<Network> {
    let file = include_str!("../../../../contract/addresses.json");
    list(file, "networks")
}

pub(crate) fn payment_uris() -> Vec<UriCase> {
    let file = include_str!("../../../../contract/payment-uris.json");
    list(file, "cases")
}

pub(crate) fn accepted_orders() -> Vec<OrderCase> {
    let file = include_str!("../../../../contract/orders.json");
    list(file, "accepted")
}
