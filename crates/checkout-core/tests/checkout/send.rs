//! The amount to send is never below the service's amount, and rounding is never silent.

use crate::support::{code, payment_of, wallet_of};

/// How an amount is rounded is tested with the amounts of the protocol.
#[test]
fn an_amount_is_rounded_to_the_decimals_of_the_chosen_token_and_only_where_it_says_so() {
    for (token, decimals, asked, sent, rounded_to) in [
        ("trx", "null", "95.12345678", "95.123457", Some(6)),
        ("trx", "null", "95.12345600", "95.12345600", None),
        ("trx", "null", "95.10", "95.10", None),
        ("btc", "null", "95.12345678", "95.12345678", None),
        ("kxp", "null", "95.12345678", "95.12345678", None),
        ("kxp", "2", "95.12345678", "95.13", Some(2)),
        ("kxp", "0", "95.1", "96", Some(0)),
    ] {
        let payment = payment_of(token, decimals, asked, wallet_of(token));
        assert_eq!(payment.choice.code, code(token));
        assert_eq!(payment.send.amount.to_string(), sent, "{token} {asked}");
        assert_eq!(payment.send.rounded_to, rounded_to, "{token} {asked}");
    }
}
