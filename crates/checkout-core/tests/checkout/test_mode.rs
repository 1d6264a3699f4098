//! Test mode: the page says so, and shows nothing that a wallet can pay.

use tender_checkout_core::payment_uri::{PaymentCodes, TEST_TEXT};
use tender_checkout_core::{
    Address, CheckoutPayment, Event, FailureCode, HostEvent, Phase, Reason,
};

use crate::support::{
    Checkout, RECEIPT, config, listing, ok, payment_of, payment_record_in, token_record, wallet_of,
};

const TEST: (&str, &str) = ("testMode", "true");

/// A checkout that offers `token`, in test mode or not.
fn choosing(token: &str, is_test: bool) -> Checkout {
    let mut fields = vec![("decimals", "null"), ("symbol", "null")];
    fields.extend(is_test.then_some(TEST));
    let mut checkout = Checkout::new(config(&[]));
    checkout.on(Event::Started(None));
    let tokens = listing(&[token_record(token, &fields)]);
    checkout.on(Event::TokensFetched(ok(tokens)));
    checkout
}

/// The checkout after a create response, whose record is of test mode or not.
fn created(mut checkout: Checkout, token: &str, is_test: bool) -> Checkout {
    checkout.submit("first").unwrap();
    let mut fields = vec![RECEIPT];
    fields.extend(is_test.then_some(TEST));
    let record = payment_record_in(token, &fields);
    checkout.created(ok(record));
    checkout
}

fn testing(token: &str) -> Checkout {
    created(choosing(token, true), token, true)
}

fn assert_unpayable(awaiting: &CheckoutPayment) {
    assert_eq!(PaymentCodes::of(awaiting), None);
    assert_eq!(awaiting.transfer(), None);
    assert_eq!(awaiting.copied_wallet(), TEST_TEXT);
}

#[test]
fn each_state_with_tokens_or_a_payment_knows_the_mode() {
    for is_test in [true, false] {
        let mut checkout = choosing("btc", is_test);
        assert_eq!(checkout.state.is_test(), is_test);
        checkout.submit("first").unwrap();
        assert!(matches!(checkout.state.phase, Phase::Submitting(..)));
        assert_eq!(checkout.state.is_test(), is_test);
        checkout.created(ok(""));
        assert!(matches!(checkout.state.phase, Phase::Failed(..)));
        assert_eq!(checkout.state.is_test(), is_test);

        let mut checkout = created(choosing("btc", is_test), "btc", is_test);
        assert_eq!(checkout.state.is_test(), is_test);
        let closed = Box::new(checkout.payment().clone());
        checkout.state.phase = Phase::NotPayable(Reason::Closed, closed);
        assert_eq!(checkout.state.is_test(), is_test);
    }
}

#[test]
fn no_wallet_can_pay_a_test() {
    for token in ["btc", "trx", "usdtt", "usdte", "bnb", "kxp"] {
        assert_unpayable(testing(token).payment());
        let real = payment_of(token, "null", "1", wallet_of(token));
        assert_eq!(real.copied_wallet(), wallet_of(token));
        assert_eq!(PaymentCodes::of(&real).is_some(), token != "kxp");
    }
}

/// Wallets read a URI scheme, or a bare address.
#[test]
fn the_text_is_neither_a_uri_nor_an_address() {
    assert!(TEST_TEXT.contains(' '));
    for token in ["btc", "trx", "usdtt", "usdte", "bnb"] {
        let asset = tender_checkout_core::asset::AssetInfo::of(&token.into()).unwrap();
        assert_eq!(Address::parse(TEST_TEXT, &asset), None);
        for word in TEST_TEXT.split([' ', ':']) {
            assert_eq!(Address::parse(word, &asset), None);
        }
    }
}

#[test]
fn a_record_of_the_other_mode_is_not_shown() {
    for is_test in [true, false] {
        let mut checkout = created(choosing("btc", is_test), "btc", !is_test);
        let failure = checkout.failure().clone();
        assert_eq!(failure.code, FailureCode::RecordMismatch);
        assert!(failure.message.contains("testMode"), "{}", failure.message);
        assert_eq!(checkout.last_event(), HostEvent::Error(failure));
    }
}

#[test]
fn a_reload_keeps_the_mode() {
    let checkout = testing("btc");
    let (reloaded, _) = checkout.reload();
    assert!(reloaded.state.is_test());
    assert_unpayable(reloaded.payment());
    assert!(reloaded.payment().record.test_mode);
    assert!(checkout.created_events()[0].test_mode, "the event says so");
}

#[test]
fn one_record_of_test_mode_is_enough() {
    let records = [token_record("btc", &[]), token_record("trx", &[TEST])];
    let mut checkout = Checkout::new(config(&[]));
    checkout.on(Event::Started(None));
    checkout.on(Event::TokensFetched(ok(listing(&records))));
    assert_eq!(checkout.form().choices.len(), 2);
    assert!(checkout.state.is_test());
}
