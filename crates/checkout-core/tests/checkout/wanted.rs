//! Whether a wallet that was slow is still asked to send: what happened meanwhile, and what its answer means then.

use tender_checkout_core::{
    Effect, Ending, Event, MarkSecret, PaymentEvent, SentEvent, SentMark, State, StatusEvent,
    WalletFailure, WalletId, WalletPayment, WalletRequest,
};

use crate::abandoned::abandoned;
use crate::support::{Checkout, ok, payment_record_in, text};
use crate::wallets::{HASH, answer, bnb, with_wallet_request};

fn wants(checkout: &Checkout, request: u32) -> bool {
    checkout
        .state
        .wants_wallet_request("p-1", WalletRequest(request))
}

/// The record of the payment, with these fields.
fn record(fields: &[(&str, &str)]) -> String {
    payment_record_in("bnb", &[&[("quantityPay", "0.5")], fields].concat())
}

fn reset(checkout: &mut Checkout) {
    checkout.on(Event::Reset);
}

/// What may happen while the wallet is slow.
type Meanwhile = (&'static str, fn(&mut Checkout));

const MEANWHILE: [Meanwhile; 14] = [
    ("paid", |it| is_now(it, "paid")),
    ("closed", |it| is_now(it, "closed")),
    ("pending", |it| is_now(it, "pending")),
    ("underpaid", |it| is_now(it, "underpaid")),
    ("unknown", |it| is_now(it, "unknown")),
    ("another payment is paid", |it| {
        poll(it, &[("state", r#""open""#), ("orderPaid", "true")]);
    }),
    ("money was seen for another payment", |it| {
        poll(it, &[("state", r#""open""#), ("orderSeen", "true")]);
    }),
    ("another status", |it| {
        poll(it, &[("statusText", r#""Seen""#)]);
    }),
    ("contradicted", |it| poll(it, &[("quantityPay", "0.6")])),
    ("a hash is entered", |it| {
        it.on(PaymentEvent::HashEntered(HASH.to_owned()));
    }),
    ("abandoned", abandon),
    ("cancelled", |it| {
        abandon(it);
        it.cancel();
        it.cancel_finished(ok("[]"));
        assert!(matches!(it.state, State::Ended(Ending::Cancelled, _)));
    }),
    ("being cancelled", |it| {
        abandon(it);
        it.cancel();
    }),
    ("back at the form", |it| {
        abandon(it);
        reset(it);
    }),
];

fn poll(checkout: &mut Checkout, fields: &[(&str, &str)]) {
    checkout.on(StatusEvent::PollDue);
    checkout.fetch(ok(record(fields)));
}

fn is_now(checkout: &mut Checkout, state: &str) {
    poll(checkout, &[("state", &text(state))]);
}

fn abandon(checkout: &mut Checkout) {
    checkout.on(PaymentEvent::WalletAbandoned);
}

#[test]
fn only_the_request_that_waits_is_wanted() {
    assert!(!wants(&bnb(), 0) && !wants(&bnb(), 1));
    let mut checkout = with_wallet_request();
    assert!(wants(&checkout, 1));
    assert!(!wants(&checkout, 0) && !wants(&checkout, 2));
    let other = |id| checkout.state.wants_wallet_request(id, WalletRequest(1));
    assert!(!other("p-2"));
    poll(&mut checkout, &[]);
    assert!(wants(&checkout, 1), "nothing has changed");
    for result in [
        Ok(HASH),
        Err(WalletFailure::Declined),
        Err(WalletFailure::Unclear),
    ] {
        let mut checkout = with_wallet_request();
        checkout.on(answer(1, result));
        assert!(!wants(&checkout, 1), "{result:?}");
    }
    assert!(!wants(&Checkout::new(crate::support::config(&[])), 1));
}

#[test]
fn a_request_is_not_wanted_once_there_is_nothing_to_pay_or_nobody_waits() {
    for (name, happens) in MEANWHILE {
        let mut checkout = with_wallet_request();
        happens(&mut checkout);
        assert!(!wants(&checkout, 1), "{name}");
    }
}

/// The first wallet opens while the second one is asked.
#[test]
fn of_two_requests_only_the_second_is_wanted() {
    let mut checkout = abandoned();
    checkout.on(PaymentEvent::WalletChosen(WalletId(1)));
    assert!(!wants(&checkout, 1) && wants(&checkout, 2));
    // The first request was not asked. That says nothing about the second.
    checkout.ignores(answer(1, Err(WalletFailure::NotWanted)));
    assert!(wants(&checkout, 2));
    checkout.on(PaymentEvent::WalletAbandoned);
    assert!(!wants(&checkout, 1) && !wants(&checkout, 2));
}

/// Nothing was sent, so nothing is left of the request, and nothing is said.
#[test]
fn what_was_not_wanted_leaves_nothing_behind() {
    for (name, happens) in MEANWHILE {
        let mut checkout = with_wallet_request();
        happens(&mut checkout);
        let state = crate::support::name(&checkout.state);
        let count = checkout.host_events.len();
        checkout.on(answer(1, Err(WalletFailure::NotWanted)));
        assert_eq!(crate::support::name(&checkout.state), state, "{name}");
        assert_eq!(checkout.host_events.len(), count, "{name}");
        if let Some(payment) = checkout.state.payment() {
            assert_eq!(payment.wallet_payment, WalletPayment::Idle, "{name}");
            assert!(!payment.is_wallet_unclear(), "{name}");
        }
    }
}

/// A checkout whose mark is stored, and whose wallet was asked.
fn marked() -> Checkout {
    let mut checkout = bnb();
    checkout.has_marks = true;
    checkout.on(PaymentEvent::WalletChosen(WalletId(0)));
    let stored = ok(r#"{"first":true,"removable":true}"#);
    let asks = checkout.on(SentEvent::MarkFinished("p-1".to_owned(), stored));
    assert!(matches!(asks[..], [Effect::RequestWalletPayment { .. }]));
    checkout
}

#[test]
fn the_mark_is_taken_back_unless_something_else_needs_it() {
    let not_wanted = |request| answer(request, Err(WalletFailure::NotWanted));
    let is_removed = |effects: &[Effect]| matches!(effects, [Effect::UnmarkSent(..)]);

    let mut stopped = marked();
    abandon(&mut stopped);
    assert!(is_removed(&stopped.on(not_wanted(1))));
    let mut moved = marked();
    poll(&mut moved, &[("statusText", r#""Seen""#)]);
    assert!(is_removed(&moved.on(not_wanted(1))));

    // The buyer has entered a hash.
    let mut entered = marked();
    entered.on(PaymentEvent::HashEntered(HASH.to_owned()));
    assert_eq!(entered.on(not_wanted(1)), []);

    // An earlier request may have sent the money.
    let mut earlier = marked();
    earlier.on(answer(1, Err(WalletFailure::Unclear)));
    earlier.on(PaymentEvent::WalletChosen(WalletId(0)));
    abandon(&mut earlier);
    assert_eq!(earlier.on(not_wanted(2)), []);
    let unclear = WalletPayment::Failed(WalletFailure::Unclear);
    assert_eq!(earlier.payment().wallet_payment, unclear);

    for checkout in [entered, earlier] {
        let stored = SentMark::Set(MarkSecret("s-1".to_owned()));
        assert_eq!(checkout.payment().mark, stored);
    }
}
