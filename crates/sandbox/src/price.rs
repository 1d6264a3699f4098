//! Converts amounts between tokens and to US dollars, with exact fractions of the demo prices and
//! without floats.

use num_bigint::BigUint;
use num_rational::Ratio;
use tender_protocol::{Amount, AmountError};

use crate::catalogue::Listed;

/// "Amount to pay in `paymentToken`, decimal with up to 8 fractional digits shown" (the service's
/// document, "Payment record").
pub(crate) const FRACTIONAL_DIGITS: u8 = 8;

/// The unit of [`Listed::price`] is a millionth of a dollar.
const MILLIONTHS: u32 = 1_000_000;

/// Converts an amount, rounded up to [`FRACTIONAL_DIGITS`].
///
/// # Errors
/// [`AmountError::TooLong`] if the result has more digits than an [`Amount`] holds.
pub(crate) fn convert(amount: &Amount, from: &Listed, to: &Listed) -> Result<Amount, AmountError> {
    let worth = exact(amount) * BigUint::from(from.price) / BigUint::from(to.price);
    rounded_up(&worth, 0)
}

/// Converts an amount to US dollars, with at least two fractional digits.
///
/// # Errors
/// [`AmountError::TooLong`] if the result has more digits than an [`Amount`] holds.
pub(crate) fn in_usd(amount: &Amount, token: &Listed) -> Result<Amount, AmountError> {
    let worth = exact(amount) * BigUint::from(token.price) / BigUint::from(MILLIONTHS);
    rounded_up(&worth, 2)
}

/// The exact sum of two amounts.
///
/// # Errors
/// [`AmountError::TooLong`] if the sum has more digits than an [`Amount`] holds.
pub(crate) fn sum(one: &Amount, other: &Amount) -> Result<Amount, AmountError> {
    rounded_up(&(exact(one) + exact(other)), 0)
}

fn exact(amount: &Amount) -> Ratio<BigUint> {
    let integer = digits(amount.integer());
    let fraction = digits(amount.fraction());
    let scale = power_of_ten(amount.fraction().len());
    Ratio::new(fraction, scale) + integer
}

/// Rounds up to [`FRACTIONAL_DIGITS`] and removes trailing zeros beyond `kept` fractional digits.
fn rounded_up(value: &Ratio<BigUint>, kept: usize) -> Result<Amount, AmountError> {
    let places = usize::from(FRACTIONAL_DIGITS);
    let units = (value * power_of_ten(places)).ceil().to_integer();
    let digits = format!("{units:0width$}", width = places + 1);
    let (integer, fraction) = digits.split_at(digits.len() - places);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() && kept == 0 {
        ""
    } else {
        "."
    };
    format!("{integer}{point}{fraction:0<kept$}").parse()
}

fn digits(text: &str) -> BigUint {
    text.chars()
        .filter_map(|digit| digit.to_digit(10))
        .fold(BigUint::ZERO, |number, digit| number * 10_u32 + digit)
}

fn power_of_ten(exponent: usize) -> BigUint {
    std::iter::repeat_n(10_u32, exponent).product()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn token(code: &str) -> &'static Listed {
        Listed::find(&code.into()).unwrap()
    }

    fn converted(amount: &str, from: &str, to: &str) -> String {
        convert(&amount.parse().unwrap(), token(from), token(to))
            .unwrap()
            .to_string()
    }

    #[test]
    fn conversions_are_exact_and_round_up() {
        // 10 / 0.31 = 32.258064516...
        assert_eq!(converted("10", "usdtt", "trx"), "32.25806452");
        // 12.85 / 64,250 = 0.0002, without a remainder.
        assert_eq!(converted("12.85", "usdtt", "btc"), "0.0002");
        assert_eq!(converted("0.00000001", "usdtt", "btc"), "0.00000001");
        assert_eq!(converted("1e-30", "btc", "btc"), "0.00000001");
        assert_eq!(converted("2.50", "btc", "btc"), "2.5");
        assert_eq!(converted("100", "btc", "btc"), "100");
        assert_eq!(
            converted("123456789012345678901234567890", "btc", "usdtt"),
            "7932098694043209869404320986932500"
        );
    }

    #[test]
    fn dollars_have_two_fractional_digits_or_more() {
        let dollars = |amount: &str, code| {
            in_usd(&amount.parse().unwrap(), token(code))
                .unwrap()
                .to_string()
        };
        assert_eq!(dollars("10", "usdtt"), "10.00");
        assert_eq!(dollars("0.5", "usdtt"), "0.50");
        assert_eq!(dollars("1.23", "trx"), "0.3813");
        assert_eq!(dollars("0.00000001", "btc"), "0.0006425");
    }

    #[test]
    fn an_amount_with_too_many_digits_is_an_error() {
        let largest = "9".repeat(tender_protocol::amount::MAX_DIGITS);
        let result = convert(&largest.parse().unwrap(), token("btc"), token("kxp"));
        assert_eq!(result, Err(AmountError::TooLong));
    }

    proptest! {
        /// The amount to pay is never worth less than the price, and it is the smallest such
        /// amount.
        #[test]
        fn the_amount_to_pay_is_the_smallest_sufficient_one(
            units in 1_u64..,
            from in 0..crate::catalogue::CATALOGUE.len(),
            to in 0..crate::catalogue::CATALOGUE.len(),
        ) {
            let (from, to) = (&crate::catalogue::CATALOGUE[from], &crate::catalogue::CATALOGUE[to]);
            let price = format!("{units}e-8").parse().unwrap();
            let worth = |amount: &Amount, token: &Listed| exact(amount) * BigUint::from(token.price);
            let due = worth(&price, from);
            let pay = convert(&price, from, to).unwrap();
            prop_assert!(worth(&pay, to) >= due);
            let unit = worth(&"1e-8".parse().unwrap(), to);
            prop_assert!(worth(&pay, to) < due + unit);
        }
    }
}
