//! The amount to send is never below the service's amount, and rounding is never silent.

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
    /// The digits of a rounded amount are tested with the amounts of the protocol.
    #[test]
    fn an_amount_is_rounded_only_where_it_says_so(
        asked in r"(0|[1-9][0-9]{0,20})(\.[0-9]{1,24}|\.[0-9]{0,3}0{1,9})?",
        decimals in proptest::option::of(0_u8..30),
    ) {
        let to_send = to_send(&asked, decimals);
        let (sent, rounded_to) = match decimals.map(|decimals| amount(&asked).round_up(decimals)) {
            Some((sent, true)) => (sent.to_string(), decimals),
            _ => (asked, None),
        };
        prop_assert_eq!(to_send.amount.to_string(), sent);
        prop_assert_eq!(to_send.rounded_to, rounded_to);
    }
}
