//! Amounts keep their value and their digits, whatever the number; compared with an independent
//! decimal, `BigDecimal`.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use bigdecimal::{BigDecimal, RoundingMode, Zero};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use tender_protocol::amount::MAX_DIGITS;
use tender_protocol::{Amount, AmountError};

/// A number without an exponent, of far more digits than a float keeps.
const PLAIN: &str = r"(0|[1-9][0-9]{0,39})(\.[0-9]{1,40})?";
/// Few digits, so that equal values, carries and trailing zeros are common.
const NARROW: &str = r"(0|9|10|99)(\.[09]{0,3}[0-9])?";
const SCIENTIFIC: &str = r"(0|[1-9][0-9]{0,19})(\.[0-9]{1,20})?[eE][+-]?[0-9]{1,2}";
/// The characters that numbers are made of, in any order.
const ALMOST: &str = r"-?[0-9.eE+ -]{0,12}";

fn number() -> impl Strategy<Value = String> {
    prop_oneof![PLAIN, NARROW, SCIENTIFIC]
}

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

fn oracle(text: &str) -> BigDecimal {
    text.parse().unwrap()
}

fn unit(decimals: u8) -> BigDecimal {
    BigDecimal::new(1.into(), decimals.into())
}

/// `contract/amounts.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Contract {
    max_digits: usize,
    read: Vec<Read>,
    refused: Vec<Refused>,
    refused_json: Vec<RefusedJson>,
    rounded: Vec<Rounding>,
    listed: Vec<Listing>,
}

#[derive(Deserialize)]
struct Read {
    name: String,
    text: String,
    written: String,
}

#[derive(Deserialize)]
struct Refused {
    name: String,
    text: String,
    reason: Reason,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reason {
    NotANumber,
    Negative,
    TooLong,
}

#[derive(Deserialize)]
struct RefusedJson {
    name: String,
    json: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rounding {
    name: String,
    amount: String,
    decimals: u8,
    rounded: String,
    base_units: String,
    is_more: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listing {
    name: String,
    sent: String,
    listed: String,
    maybe_the_same: bool,
}

fn contract() -> Contract {
    serde_json::from_str(include_str!("../../../contract/amounts.json")).unwrap()
}

#[test]
fn an_amount_keeps_its_value_and_is_written_without_an_exponent() {
    for case in contract().read {
        assert_eq!(
            amount(&case.text).to_string(),
            case.written,
            "{}",
            case.name
        );
    }
}

#[test]
fn what_is_no_amount_is_refused_with_a_reason() {
    for case in contract().refused {
        let expected = match case.reason {
            Reason::NotANumber => AmountError::NotANumber(case.text.clone()),
            Reason::Negative => AmountError::Negative(case.text.clone()),
            Reason::TooLong => AmountError::TooLong,
        };
        assert_eq!(case.text.parse::<Amount>(), Err(expected), "{}", case.name);
    }
    let endless = format!("1e{}", "9".repeat(100_000));
    assert_eq!(endless.parse::<Amount>(), Err(AmountError::TooLong));
    assert_eq!(contract().max_digits, MAX_DIGITS);
}

#[test]
fn an_error_quotes_the_start_of_a_long_text() {
    for text in ["x".repeat(10_000), format!("-{}", "9".repeat(100))] {
        let message = text.parse::<Amount>().unwrap_err().to_string();
        assert!(
            message.contains(&text[..40]) && message.len() < 200,
            "{message}"
        );
    }
}

#[test]
fn an_amount_is_rounded_up_to_the_decimals_of_a_token() {
    for case in contract().rounded {
        let (rounded, is_more) = amount(&case.amount).round_up(case.decimals);
        let found = (rounded.to_string(), is_more);
        assert_eq!(found, (case.rounded, case.is_more), "{}", case.name);
        let units = amount(&case.amount).to_base_units(case.decimals);
        assert_eq!(units, case.base_units, "{}", case.name);
    }
}

#[test]
fn json_without_an_amount_in_it_is_refused() {
    for case in contract().refused_json {
        let read = serde_json::from_str::<Amount>(&case.json);
        assert!(read.is_err(), "{}", case.name);
    }
}

#[test]
fn a_difference_counts_from_one_percent() {
    for (price, other, differs) in [
        ("100", "100", false),
        ("100", "100.99999999", false),
        ("100", "101", true),
        ("100", "99.00000001", false),
        ("100", "99", true),
        ("0.1", "0.1009", false),
        ("0.1", "0.101", true),
        ("48.5", "48.50000001", false),
        ("48.50", "0", true),
        ("48.50", "4850", true),
    ] {
        let found = amount(price).differs_by_a_percent(&amount(other));
        assert_eq!(found, differs, "{price} {other}");
    }
}

/// A buffer between the text and the amount would have made a float of the number.
#[test]
fn an_amount_is_not_read_from_a_buffer() {
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    enum Buffered {
        #[expect(dead_code, reason = "only its reading is of interest")]
        Amount(Amount),
    }
    assert!(serde_json::from_str::<Buffered>("0.1").is_err());
    assert!(serde_json::from_str::<Buffered>("123456789012345678901234567890").is_err());
}

proptest! {
    #[test]
    fn a_plain_number_prints_digit_for_digit(text in prop_oneof![PLAIN, NARROW]) {
        prop_assert_eq!(amount(&text).to_string(), text);
    }

    #[test]
    fn an_exponent_keeps_the_value_and_is_not_printed(text in SCIENTIFIC) {
        let printed = amount(&text).to_string();
        let plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        prop_assert!(printed.bytes().all(plain), "{}", printed);
        prop_assert_eq!(oracle(&printed), oracle(&text));
        prop_assert_eq!(amount(&printed).to_string(), printed);
    }

    #[test]
    fn the_two_parts_are_what_is_printed(text in number()) {
        let amount = amount(&text);
        let joined = format!("{}.{}", amount.integer(), amount.fraction());
        prop_assert_eq!(joined.trim_end_matches('.'), amount.to_string());
    }

    #[test]
    fn equality_and_order_are_those_of_the_values(
        (left, right) in prop_oneof![(number(), number()), (NARROW, NARROW)],
    ) {
        let ours = (amount(&left), amount(&right));
        let theirs = (oracle(&left), oracle(&right));
        prop_assert_eq!(ours.0.cmp(&ours.1), theirs.0.cmp(&theirs.1));
        prop_assert_eq!(ours.0 == ours.1, theirs.0 == theirs.1);
        prop_assert_eq!(ours.0.is_zero(), theirs.0.is_zero());
    }

    #[test]
    fn a_percent_is_one_of_the_exact_price(
        (price, other) in prop_oneof![(number(), number()), (NARROW, NARROW)],
        hundredths in 0_u32..=20_000,
    ) {
        let differs = |other: &str| amount(&price).differs_by_a_percent(&amount(other));
        let theirs = |other: &BigDecimal| (oracle(&price) - other).abs() * 100 >= oracle(&price);
        prop_assert_eq!(differs(&other), theirs(&oracle(&other)));
        // A part of the price, which may be a percent away.
        let part = oracle(&price) * BigDecimal::from(hundredths) / BigDecimal::from(10_000);
        prop_assert_eq!(differs(&part.normalized().to_plain_string()), theirs(&part));
    }

    #[test]
    fn rounding_up_is_never_below_and_less_than_one_unit_above(
        text in number(),
        decimals in 0_u8..=45,
    ) {
        let (rounded, rounded_up) = amount(&text).round_up(decimals);
        prop_assert!(rounded.fraction().len() <= decimals.into());
        let (asked, sent) = (oracle(&text), oracle(&rounded.to_string()));
        prop_assert!(sent >= asked);
        prop_assert!(&sent - &asked < unit(decimals));
        prop_assert_eq!(rounded_up, sent != asked);
        let (again, rounded_up) = rounded.round_up(decimals);
        prop_assert_eq!((again.to_string(), rounded_up), (rounded.to_string(), false));
    }

    #[test]
    fn base_units_are_the_least_whole_number_that_pays(text in number(), decimals in 0_u8..=45) {
        let units = amount(&text).to_base_units(decimals);
        let least = oracle(&text).with_scale_round(decimals.into(), RoundingMode::Ceiling);
        prop_assert_eq!(units, least.as_bigint_and_scale().0.to_string());
    }

    #[test]
    fn json_numbers_and_strings_read_the_same_and_write_a_number(text in number()) {
        let amount = amount(&text);
        let printed = amount.to_string();
        prop_assert_eq!(&serde_json::to_string(&amount).unwrap(), &printed);
        let forms = [
            text.clone(),
            format!("  {text}\n"),
            format!("\"{text}\""),
            format!("\" {text}\\t\""),
        ];
        for json in forms {
            let read: Amount = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(read.to_string(), &*printed, "{}", &json);
            let read: Amount = serde_json::from_reader(json.as_bytes()).unwrap();
            prop_assert_eq!(read.to_string(), &*printed, "{}", &json);
        }
    }

    /// It never panics, and its grammar is JSON's own.
    #[test]
    fn any_text_is_a_number_exactly_where_json_says_so(
        text in prop_oneof![".*", ALMOST, number(), number().prop_map(|text| format!("-{text}"))],
    ) {
        let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            && serde_json::from_str::<&RawValue>(&text).is_ok_and(|raw| raw.get() == text);
        let refused = matches!(text.parse::<Amount>(), Err(AmountError::NotANumber(_)));
        prop_assert_eq!(refused, !is_number);
    }
}

#[test]
fn the_service_may_list_an_amount_with_eight_decimals() {
    for case in contract().listed {
        let found = amount(&case.sent).may_be_listed_as(&amount(&case.listed));
        assert_eq!(found, case.maybe_the_same, "{}", case.name);
    }
}
