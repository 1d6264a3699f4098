//! The amount to send is never below the service's amount, and rounding is never silent.

use tender_checkout_core::Event;

use crate::support::{
    Checkout, code, config, listing, ok, payment_of, payment_record_in, token_record, wallet_of,
};

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

/// In the token of the price, whose code is `usdtt`. Some services add digits by which they recognise a payment.
#[test]
fn an_amount_that_is_not_the_price_is_told_from_one_percent() {
    for (token, asked, has_other_price) in [
        ("usdtt", "25.50", false),
        ("usdtt", "25.500001", false),
        ("usdtt", "25.754999", false),
        ("usdtt", "25.755", true),
        ("usdtt", "25.245", true),
        ("usdtt", "2550", true),
        ("usdte", "2550", false),
        ("trx", "2550", false),
    ] {
        let mut checkout = Checkout::choosing(config(&[]));
        let listed = listing(&[token_record(token, &[])]);
        checkout.on(Event::Refreshed);
        checkout.on(Event::TokensFetched(ok(listed)));
        checkout.submit("first").unwrap();
        checkout.created(ok(payment_record_in(token, &[("quantityPay", asked)])));
        let price = checkout.payment().other_price(&checkout.config);
        let price = price.map(ToString::to_string);
        let expected = has_other_price.then(|| "25.50".to_owned());
        assert_eq!(price, expected, "{token} {asked}");
    }
}
