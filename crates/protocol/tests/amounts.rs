//! Amounts keep their value and their digits, whatever the number; compared with an independent
//! decimal, `BigDecimal`.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use bigdecimal::{BigDecimal, RoundingMode, Zero};
use proptest::prelude::*;
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

#[test]
fn examples_keep_their_value_and_print_without_an_exponent() {
    let examples = [
        ("0.00000001", "0.00000001"),
        ("1e-8", "0.00000001"),
        ("1E-8", "0.00000001"),
        ("1.10000000", "1.10000000"),
        ("123456789012.12345678", "123456789012.12345678"),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
        (
            "0.123456789012345678901234567890",
            "0.123456789012345678901234567890",
        ),
        (
            "999999999999999.999999999999999",
            "999999999999999.999999999999999",
        ),
        ("1.23456e2", "123.456"),
        ("1.5e+3", "1500"),
        ("1.50e1", "15.0"),
        ("1500e-3", "1.500"),
        ("12e-1", "1.2"),
        ("1e0", "1"),
        ("0", "0"),
        ("0.00", "0.00"),
        ("0e9", "0"),
        ("-0", "0"),
        ("-0.0", "0.0"),
    ];
    for (text, printed) in examples {
        assert_eq!(amount(text).to_string(), printed, "{text}");
    }
}

#[test]
fn what_is_not_a_number_is_refused_with_a_reason() {
    let not_numbers = [
        "", " ", "-", "+1", "1.", ".5", "01", "00", "-01", "--1", "1,5", "1 000", "1_000", "0x10",
        "1e", "1e+", "1e1.5", "1e5e5", "1.2.3", "NaN", "Infinity", "null", "12 USDT", "١٢", "１",
        "1\u{a0}", " 1",
    ];
    for text in not_numbers {
        let error = text.parse::<Amount>().unwrap_err();
        assert_eq!(error, AmountError::NotANumber(text.to_owned()), "{text:?}");
    }
    for text in ["-1", "-0.00000001", "-1e-8", "-12.5E+2"] {
        let error = text.parse::<Amount>().unwrap_err();
        assert_eq!(error, AmountError::Negative(text.to_owned()), "{text:?}");
    }
}

#[test]
fn a_hostile_exponent_is_refused_before_its_digits_are_written() {
    let endless = format!("1e{}", "9".repeat(100_000));
    let hostile = [
        "1e999999999",
        "1e-999999999",
        "-1e999999999",
        "0e999999999",
        "1E+2147483647",
        "1e-2147483648",
        "9e2147483648",
        "1e99999999999999999999",
        "1e1000",
        "1e-1000",
        &endless,
    ];
    for text in hostile {
        assert_eq!(
            text.parse::<Amount>(),
            Err(AmountError::TooLong),
            "{text:.40}"
        );
    }
}

#[test]
fn both_sides_of_the_point_have_the_same_limit() {
    let digits = "9".repeat(MAX_DIGITS);
    for text in [
        digits.clone(),
        format!("0.{digits}"),
        format!("{digits}.{digits}"),
    ] {
        assert_eq!(amount(&text).to_string(), text);
    }
    let beyond = [
        format!("{digits}9"),
        format!("0.{digits}9"),
        format!("{digits}e1"),
        format!("0.{digits}e-1"),
        format!("1e{MAX_DIGITS}"),
        format!("1e-{}", MAX_DIGITS + 1),
    ];
    for text in beyond {
        assert_eq!(text.parse::<Amount>(), Err(AmountError::TooLong), "{text}");
    }
    assert_eq!(
        amount(&format!("1e{}", MAX_DIGITS - 1)).integer().len(),
        MAX_DIGITS
    );
    assert_eq!(
        amount(&format!("1e-{MAX_DIGITS}")).fraction().len(),
        MAX_DIGITS
    );
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
fn rounding_up_carries_into_the_integer() {
    let examples = [
        ("0.00000001", 6, "0.000001", true),
        ("9.9999999", 6, "10.000000", true),
        ("999.5", 0, "1000", true),
        ("0.1", 0, "1", true),
        ("1.000001", 6, "1.000001", false),
        ("1.10000000", 6, "1.100000", false),
        ("12", 6, "12", false),
        ("0.0", 0, "0", false),
    ];
    for (text, decimals, printed, rounded_up) in examples {
        let (amount, rounded) = amount(text).round_up(decimals);
        assert_eq!(
            (amount.to_string().as_str(), rounded),
            (printed, rounded_up),
            "{text}"
        );
    }
}

#[test]
fn json_without_a_number_in_it_is_refused() {
    let refused = [
        "null",
        "true",
        "[1]",
        "{}",
        r#""""#,
        r#"" ""#,
        r#""abc""#,
        "-1",
        r#""-1""#,
        r#""\ud800""#,
        // The marker by which serde_json passes raw text around: not a way in.
        r#"{"$serde_json::private::RawValue": "1"}"#,
    ];
    for json in refused {
        assert!(serde_json::from_str::<Amount>(json).is_err(), "{json}");
    }
}

/// A buffer between the text and the amount would have made a float of the number.
#[test]
fn an_amount_is_not_read_from_a_buffer() {
    #[derive(Debug, serde::Deserialize)]
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
    }

    #[test]
    fn printing_is_idempotent(text in number()) {
        let printed = amount(&text).to_string();
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
    fn moving_the_point_there_and_back_is_the_same_value(text in PLAIN, places in 0_u8..=40) {
        let there = amount(&format!("{text}e{places}"));
        prop_assert_eq!(amount(&format!("{there}e-{places}")), amount(&text));
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
        prop_assert_eq!(sent, asked.with_scale_round(decimals.into(), RoundingMode::Ceiling));
    }

    #[test]
    fn what_was_rounded_once_is_not_rounded_again(text in number(), decimals in 0_u8..=45) {
        let (rounded, _) = amount(&text).round_up(decimals);
        let (again, rounded_up) = rounded.round_up(decimals);
        prop_assert_eq!((again.to_string(), rounded_up), (rounded.to_string(), false));
    }

    #[test]
    fn base_units_are_the_least_whole_number_that_pays(text in number(), decimals in 0_u8..=45) {
        let units = amount(&text).to_base_units(decimals);
        let least = oracle(&text).with_scale_round(decimals.into(), RoundingMode::Ceiling);
        prop_assert_eq!(&units.digits, &least.as_bigint_and_scale().0.to_string());
        prop_assert_eq!(units.rounded_up, least != oracle(&text));
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
    let may = |sent: &str, listed: &str| amount(sent).may_be_listed_as(&amount(listed));
    assert!(may("1.5", "1.50"));
    assert!(may("0.123456785", "0.12345678") && may("0.123456785", "0.12345679"));
    assert!(!may("0.123456785", "0.1234568") && !may("0.12345678", "0.12345679"));
}
