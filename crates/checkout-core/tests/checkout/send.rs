//! The amount to send is never below the service's amount, and rounding is never silent.

use bigdecimal::{BigDecimal, RoundingMode, Zero};
use proptest::prelude::*;
use tender_checkout_core::send::AmountToSend;
use tender_protocol::Amount;

use crate::support::{code, payment_of, wallet_of};

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

fn to_send(asked: &str, decimals: Option<u8>) -> AmountToSend {
    AmountToSend::new(amount(asked), decimals)
}

#[test]
fn an_amount_with_few_enough_decimals_keeps_its_digits() {
    let amounts = [
        ("95.123456", Some(6)),
        ("95.12345600", Some(6)),
        ("1.10000000", Some(8)),
        ("0.00000001", Some(8)),
        ("123456789012.12345678", Some(18)),
        ("7", Some(0)),
        ("7.000", Some(0)),
        ("95.12345678", None),
    ];
    for (asked, decimals) in amounts {
        let to_send = to_send(asked, decimals);
        assert_eq!(to_send.amount.to_string(), asked);
        assert_eq!(to_send.rounded_to, None);
    }
}

#[test]
fn more_decimals_than_the_token_has_are_rounded_up() {
    let amounts = [
        ("95.12345678", 6, "95.123457"),
        ("95.12345601", 6, "95.123457"),
        ("0.00000001", 6, "0.000001"),
        ("9.99999999", 6, "10.000000"),
        ("999999.99999999", 2, "1000000.00"),
        ("1.00000001", 0, "2"),
    ];
    for (asked, decimals, sent) in amounts {
        let to_send = to_send(asked, Some(decimals));
        assert_eq!(to_send.amount.to_string(), sent);
        assert_eq!(to_send.rounded_to, Some(decimals));
    }
}

#[test]
fn the_decimals_are_those_of_the_token_chosen() {
    let sent = |token, decimals| {
        let payment = payment_of(token, decimals, "95.12345678", wallet_of(token));
        assert_eq!(payment.choice.code, code(token));
        payment.send
    };
    assert_eq!(sent("trx", "null"), to_send("95.12345678", Some(6)));
    assert_eq!(sent("btc", "null"), to_send("95.12345678", None));
    assert_eq!(sent("kxp", "null"), to_send("95.12345678", None));
    assert_eq!(sent("kxp", "2"), to_send("95.12345678", Some(2)));
}

proptest! {
    #[test]
    fn rounding_adds_less_than_one_unit(
        asked in r"(0|[1-9][0-9]{0,20})(\.[0-9]{1,24})?",
        decimals in 0_u8..30,
    ) {
        let oracle: BigDecimal = asked.parse().unwrap();
        let to_send = to_send(&asked, Some(decimals));
        let sent: BigDecimal = to_send.amount.to_string().parse().unwrap();
        prop_assert_eq!(&sent, &oracle.with_scale_round(decimals.into(), RoundingMode::Ceiling));

        let above = &sent - &oracle;
        prop_assert!(above >= BigDecimal::zero());
        prop_assert!(above < BigDecimal::new(1.into(), decimals.into()));
        prop_assert_eq!(to_send.rounded_to.is_some(), above > BigDecimal::zero());
        prop_assert!(to_send.rounded_to.is_some() || to_send.amount.to_string() == asked);
    }

    #[test]
    fn with_unknown_decimals_nothing_is_rounded(asked in r"[1-9][0-9]{0,9}\.[0-9]{1,40}") {
        let to_send = to_send(&asked, None);
        prop_assert_eq!(to_send.amount.to_string(), asked);
        prop_assert_eq!(to_send.rounded_to, None);
    }
}
