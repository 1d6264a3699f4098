//! Converts amounts between tokens and to US dollars, with exact fractions of the demo prices and
//! without floats.

use num_bigint::BigUint;
use num_rational::Ratio;
use tender_protocol::amount::SHOWN_DECIMALS;
use tender_protocol::{Amount, AmountError};

use crate::catalogue::Listed;

/// The unit of [`Listed::price`] is a millionth of a dollar.
const MILLIONTHS: u32 = 1_000_000;

/// Converts an amount, rounded up to [`SHOWN_DECIMALS`].
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

fn exact(amount: &Amount) -> Ratio<BigUint> {
    // No fraction is zero.
    let number = |digits: &str| BigUint::parse_bytes(digits.as_bytes(), 10).unwrap_or_default();
    let scale = power_of_ten(amount.fraction().len());
    Ratio::new(number(amount.fraction()), scale) + number(amount.integer())
}

/// Rounds up to [`SHOWN_DECIMALS`] and removes trailing zeros beyond `kept` fractional digits.
fn rounded_up(value: &Ratio<BigUint>, kept: usize) -> Result<Amount, AmountError> {
    let places = usize::from(SHOWN_DECIMALS);
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

fn power_of_ten(exponent: usize) -> BigUint {
    std::iter::repeat_n(10_u32, exponent).product()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::CATALOGUE;

    proptest! {
        /// The amount to pay is never worth less than the price, and it is the smallest such amount with "up to 8
        /// fractional digits shown".
        #[test]
        fn the_amount_to_pay_is_the_smallest_sufficient_one(
            units in 1_u64..,
            from in 0..CATALOGUE.len(),
            to in 0..CATALOGUE.len(),
        ) {
            let (from, to) = (&CATALOGUE[from], &CATALOGUE[to]);
            let price = format!("{units}e-8").parse().unwrap();
            let worth = |amount: &Amount, token: &Listed| exact(amount) * BigUint::from(token.price);
            let due = worth(&price, from);
            let pay = convert(&price, from, to).unwrap();
            prop_assert!(worth(&pay, to) >= due);
            prop_assert!(pay.fraction().len() <= 8);
            let unit = worth(&"1e-8".parse().unwrap(), to);
            prop_assert!(worth(&pay, to) < due + unit);
        }
    }
}
