//! Integers in contract encoding.

/// The number of hexadecimal digits of a `uint256`.
const MAX_DIGITS: usize = 64;

/// Converts decimal to hexadecimal digits: lower case, no leading zeros, no prefix. Returns `None` if the text is not
/// an integer, or is larger than a `uint256`.
pub(super) fn hex(decimal: &str) -> Option<String> {
    // From the least significant digit.
    let mut digits: Vec<u32> = vec![0];
    for character in decimal.chars() {
        let mut carry = character.to_digit(10)?;
        for digit in &mut digits {
            carry += *digit * 10;
            *digit = carry % 16;
            carry /= 16;
        }
        if carry > 0 {
            digits.push(carry);
        }
        if digits.len() > MAX_DIGITS {
            return None;
        }
    }
    let hex: String = (digits.iter().rev())
        .filter_map(|digit| char::from_digit(*digit, 16))
        .collect();
    (!decimal.is_empty()).then_some(hex)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::hex;

    proptest! {
        #[test]
        fn as_another_implementation_writes_it(number in prop::collection::vec(any::<u8>(), 0..=32)) {
            let number = BigUint::from_bytes_be(&number);
            prop_assert_eq!(hex(&number.to_string()), Some(format!("{number:x}")));
        }

        #[test]
        fn leading_zeros_do_not_count(number: u128, zeros in 0..40_usize) {
            let written = format!("{}{number}", "0".repeat(zeros));
            prop_assert_eq!(hex(&written), Some(format!("{number:x}")));
        }
    }

    #[test]
    fn no_more_than_a_uint256() {
        let most: BigUint = (BigUint::from(1_u8) << 256) - 1_u8;
        assert_eq!(hex(&most.to_string()), Some("f".repeat(64)));
        assert_eq!(hex(&(most + 1_u8).to_string()), None);
        assert_eq!(hex(&"9".repeat(10_000)), None);
    }

    #[test]
    fn nothing_but_digits() {
        for text in ["", "-1", "+1", "1.0", "1e3", " 1", "0x1", "１"] {
            assert_eq!(hex(text), None, "{text:?}");
        }
    }
}
