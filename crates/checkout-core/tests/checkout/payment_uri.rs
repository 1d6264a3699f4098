//! The texts for wallets: exact integers, and no amount if the decimals are in doubt.

use serde_json::{Value, json};
use tender_checkout_core::payment_uri::{PaymentCodes, Standard};

use crate::contract;
use crate::support::payment_of;

/// The codes for a payment of `amount` to `wallet`; `decimals` as in the token's record.
fn codes(token: &str, decimals: &str, wallet: &str, amount: &str) -> Option<PaymentCodes> {
    PaymentCodes::of(&payment_of(token, decimals, amount, wallet))
}

#[test]
fn wallets_get_the_texts_of_the_contract() {
    for case in contract::payment_uris() {
        let decimals = case.decimals.to_string();
        let codes = codes(&case.token, &decimals, &case.wallet, &case.amount);
        assert_eq!(json!(codes.map(described)), case.expected, "{}", case.name);
    }
}

/// In the words of the contract.
fn described(codes: PaymentCodes) -> Value {
    let with_amount = codes.with_amount.map(|uri| {
        let standard = match uri.standard {
            Standard::Bitcoin => "BIP-21",
            Standard::EvmCoin => "EIP-681",
        };
        json!({ "uri": uri.uri, "standard": standard, "isDefault": uri.is_default() })
    });
    json!({ "address": codes.address.as_str(), "withAmount": with_amount })
}
