//! The texts for wallets: exact integers, and no amount if the decimals are in doubt.

use bigdecimal::BigDecimal;
use num_bigint::BigInt;
use proptest::prelude::*;
use tender_checkout_core::payment_uri::{PaymentCodes, PaymentUri, Standard};

use crate::support::payment_of;

const BITCOIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const TRON: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const ETHEREUM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// The codes for a payment of `amount` to `wallet`; `decimals` as in the token's record.
fn codes(token: &str, decimals: &str, wallet: &str, amount: &str) -> Option<PaymentCodes> {
    PaymentCodes::of(&payment_of(token, decimals, amount, wallet))
}

fn with_amount(token: &str, decimals: &str, wallet: &str, amount: &str) -> Option<PaymentUri> {
    let codes = codes(token, decimals, wallet, amount).unwrap();
    assert_eq!(codes.address.as_str(), wallet);
    codes.with_amount
}

#[test]
fn the_bitcoin_uri_has_the_shown_amount() {
    for (amount, written) in [
        ("0.00045678", "0.00045678"),
        ("1.10000000", "1.10000000"),
        ("1E-8", "0.00000001"),
        ("21000000", "21000000"),
    ] {
        let uri = with_amount("btc", "null", BITCOIN, amount).unwrap();
        assert_eq!(uri.uri, format!("bitcoin:{BITCOIN}?amount={written}"));
        assert_eq!(uri.standard, Standard::Bitcoin);
        assert!(uri.is_default());
    }
}

#[test]
fn the_bnb_uri_has_the_chain_and_the_amount_in_wei() {
    let uri = with_amount("bnb", "null", ETHEREUM, "0.07912345").unwrap();
    let expected = format!("ethereum:{ETHEREUM}@56?value=79123450000000000");
    assert_eq!(uri.uri, expected);
    assert_eq!(uri.standard, Standard::EvmCoin);
    assert!(!uri.is_default());
}

/// The target of an EIP-681 URI of a token is its contract, where money is lost.
#[test]
fn a_token_has_its_address_only() {
    for (token, wallet) in [("usdte", ETHEREUM), ("usdtt", TRON)] {
        let codes = codes(token, "6", wallet, "48.50").unwrap();
        assert_eq!(codes.address.as_str(), wallet);
        assert_eq!(codes.with_amount, None);
    }
}

#[test]
fn tron_has_no_uri_with_amount() {
    assert_eq!(with_amount("trx", "null", TRON, "155.5"), None);
    assert_eq!(with_amount("usdtt", "6", TRON, "48.50"), None);
}

#[test]
fn contradicting_decimals_give_no_amount() {
    for (token, decimals, wallet) in [
        ("btc", "18", BITCOIN),
        ("bnb", "8", ETHEREUM),
        ("bnb", "2", ETHEREUM),
    ] {
        assert_eq!(
            with_amount(token, decimals, wallet, "48.5"),
            None,
            "{token}"
        );
    }
}

/// A payment of zero is not shown.
#[test]
fn a_zero_amount_is_in_no_code() {
    for (token, wallet) in [("btc", BITCOIN), ("bnb", ETHEREUM)] {
        assert_eq!(with_amount(token, "null", wallet, "0.00"), None, "{token}");
    }
}

#[test]
fn a_wallet_that_is_no_address_of_the_network_has_no_code() {
    for (token, wallet) in [
        ("btc", "the wallet"),
        ("btc", ETHEREUM),
        ("trx", ETHEREUM),
        ("usdte", TRON),
        ("bnb", BITCOIN),
        ("kxp", ETHEREUM),
    ] {
        assert_eq!(codes(token, "null", wallet, "1"), None, "{token}: {wallet}");
    }
}

proptest! {
    #[test]
    fn the_integer_is_the_shown_amount(
        asked in r"(0|[1-9][0-9]{0,12})(\.[0-9]{1,20})?",
    ) {
        prop_assume!(asked.contains(|digit| ('1'..='9').contains(&digit)));
        let uri = with_amount("bnb", "null", ETHEREUM, &asked).unwrap().uri;
        let (_, integer) = uri.split_once("?value=").unwrap();
        prop_assert!(integer == "0" || !integer.starts_with('0'), "{}", integer);
        let sent = BigDecimal::new(integer.parse::<BigInt>().unwrap(), 18);
        let asked: BigDecimal = asked.parse().unwrap();
        let rounded = asked.with_scale_round(18, bigdecimal::RoundingMode::Ceiling);
        prop_assert_eq!(sent, rounded, "{}", uri);
    }

    #[test]
    fn the_bitcoin_amount_has_no_exponent_and_at_most_eight_decimals(
        asked in r"(0|[1-9][0-9]{0,7})(\.[0-9]{1,20})?(e-?[0-9])?",
    ) {
        let (digits, _) = asked.split_once('e').unwrap_or((&asked, ""));
        prop_assume!(digits.contains(|digit| ('1'..='9').contains(&digit)));
        let uri = with_amount("btc", "null", BITCOIN, &asked).unwrap().uri;
        let (_, amount) = uri.split_once("?amount=").unwrap();
        prop_assert!(amount.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        prop_assert!(amount.split_once('.').is_none_or(|(_, places)| places.len() <= 8));
        let asked: BigDecimal = asked.parse().unwrap();
        let rounded = asked.with_scale_round(8, bigdecimal::RoundingMode::Ceiling);
        prop_assert_eq!(amount.parse::<BigDecimal>().unwrap(), rounded);
    }
}
