//! The texts for wallets: exact integers, and no amount if the decimals are in doubt.

use bigdecimal::BigDecimal;
use proptest::prelude::*;
use serde_json::{Value, json};
use tender_checkout_core::payment_uri::{PaymentCodes, Standard};

use crate::contract;
use crate::support::{payment_of, wallet_of};

/// The codes for a payment of `amount` to `wallet`; `decimals` as in the token's record.
fn codes(token: &str, decimals: &str, wallet: &str, amount: &str) -> Option<PaymentCodes> {
    PaymentCodes::of(&payment_of(token, decimals, amount, wallet))
}

/// The URI with the amount.
fn uri(token: &str, wallet: &str, amount: &str) -> String {
    let codes = codes(token, "null", wallet, amount).unwrap();
    codes.with_amount.unwrap().uri
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

proptest! {
    #[test]
    fn the_bitcoin_amount_has_no_exponent_and_at_most_eight_decimals(
        asked in r"(0|[1-9][0-9]{0,7})(\.[0-9]{1,20})?(e-?[0-9])?",
    ) {
        let (digits, _) = asked.split_once('e').unwrap_or((&asked, ""));
        prop_assume!(digits.contains(|digit| ('1'..='9').contains(&digit)));
        let uri = uri("btc", wallet_of("btc"), &asked);
        let (_, amount) = uri.split_once("?amount=").unwrap();
        prop_assert!(amount.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        prop_assert!(amount.split_once('.').is_none_or(|(_, places)| places.len() <= 8));
        let asked: BigDecimal = asked.parse().unwrap();
        let rounded = asked.with_scale_round(8, bigdecimal::RoundingMode::Ceiling);
        prop_assert_eq!(amount.parse::<BigDecimal>().unwrap(), rounded);
    }
}
