//! What a payment needs comes by itself, and may not come.

use tender_checkout_core::step::is_choice;
use tender_checkout_core::{Config, Effect, Event, FailureCode, HostEvent, PriorAttempt, State};

use crate::support::{Checkout, code, config, key, lost, offered, ok};

/// What the buyer has chosen.
fn chosen() -> Config {
    config(&[("payment-token", "trx")])
}

#[test]
fn who_chooses_does_not_wait_for_it() {
    let mut checkout = Checkout::new(config(&[]));
    let steps = [
        Event::Started(None),
        Event::TokensFetched(lost()),
        Event::Retried,
        Event::TokensFetched(ok(offered())),
        Event::TokenChosen(code("btc")),
        Event::EmailTyped("a@b.example".to_owned()),
        Event::PageHidden,
        Event::PartLost,
        Event::Retried,
    ];
    for event in steps {
        assert!(is_choice(&checkout.state, &event), "{event:?}");
        checkout.on(event);
    }
}

#[test]
fn what_is_begun_waits_for_it() {
    let checkout = Checkout::choosing(chosen());
    assert!(!is_choice(&checkout.state, &Event::Submitted(key("first"))));
    let checkout = Checkout::new(chosen());
    let remembered = Event::Started(Some("{}".to_owned()));
    assert!(!is_choice(&checkout.state, &remembered));
    let mut checkout = Checkout::submitting();
    assert!(!is_choice(&checkout.state, &Event::PageHidden));
    checkout.on(Event::CreateFinished(key("first"), lost()));
    assert!(!is_choice(&checkout.state, &Event::FailureDismissed));
    checkout.on(Event::FailureDismissed);
    assert!(matches!(
        checkout.form().prior,
        Some(PriorAttempt::Attempt(_))
    ));
    assert!(!is_choice(
        &checkout.state,
        &Event::TokenChosen(code("btc"))
    ));
}

#[test]
fn without_it_the_buyer_may_try_again_with_what_they_chose() {
    let mut checkout = Checkout::choosing(chosen());
    checkout.on(Event::EmailTyped("a@b.example".to_owned()));
    assert_eq!(checkout.on(Event::PartLost), []);
    let State::Unavailable(_, failure) = checkout.state.clone() else {
        panic!("{:?}", checkout.state);
    };
    assert_eq!(failure.code, FailureCode::Unreachable);
    assert!(failure.code.is_retryable());
    assert_eq!(checkout.last_told(), HostEvent::Error(failure));

    assert_eq!(checkout.on(Event::Retried), [Effect::FetchTokens]);
    checkout.on(Event::TokensFetched(ok(offered())));
    assert_eq!(checkout.form().form.payment_token, Some(code("trx")));
    assert_eq!(checkout.form().form.email, "a@b.example");
}

#[test]
fn that_it_is_lost_is_said_once() {
    let mut checkout = Checkout::new(chosen());
    checkout.on(Event::PartLost);
    assert!(matches!(checkout.state, State::Unavailable(..)));
    checkout.ignores(Event::PartLost);
}
