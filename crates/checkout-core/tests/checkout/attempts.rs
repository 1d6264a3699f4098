//! Repeated submits of the same request are one attempt.

use tender_checkout_core::{
    Edit, Effect, Event, FailureCode, FormEvent, HostEvent, PaymentEvent, Phase,
};

use crate::support::{Checkout, answer, code, config, key, lost, offered, ok, payment_record};

/// A checkout that lost the response to its first attempt.
fn failed() -> Checkout {
    let mut checkout = Checkout::submitting();
    assert_eq!(checkout.created(lost()), []);
    assert!(matches!(checkout.state.phase, Phase::Failed(..)));
    checkout
}

/// The attempt is kept: a payment may exist, and the same form continues it.
#[test]
fn another_choice_after_a_failure_is_the_form_again() {
    let mut checkout = failed();
    assert_eq!(checkout.on(Edit::Token(code("btc"))), []);
    assert!(matches!(checkout.state.phase, Phase::Choosing(..)));
    assert_eq!(checkout.context().form.payment_token, Some(code("btc")));
    checkout.on(Edit::Token(code("trx")));
    let attempt = checkout.submit("second").unwrap();
    assert_eq!(attempt.key, key("first"));
}

#[test]
fn a_failure_is_shown_and_emitted() {
    let answers = [
        (lost(), FailureCode::Unreachable),
        (ok("{}"), FailureCode::AnswerUnreadable),
        (
            answer(403, r#"{"code":"order-expired"}"#),
            FailureCode::OrderExpired,
        ),
        (
            ok(payment_record(&[("quantity", "1")])),
            FailureCode::RecordMismatch,
        ),
    ];
    for (answered, code) in answers {
        let mut checkout = Checkout::submitting();
        assert_eq!(checkout.created(answered), []);
        assert_eq!(checkout.failure().code, code);
        checkout.ignores(FormEvent::CreateFinished(
            key("first"),
            ok(payment_record(&[])),
        ));
        let event = HostEvent::Error(checkout.failure().clone());
        assert_eq!(checkout.last_event(), event);
        assert!(checkout.created_events().is_empty());

        // A payment may exist, so the same form is the same attempt.
        assert_eq!(checkout.on(FormEvent::FailureDismissed), []);
        assert_eq!(checkout.form().problem, None);
        assert_eq!(checkout.submit("second").unwrap().key, key("first"));
    }
}

#[test]
fn the_same_amount_written_differently_is_the_same_attempt() {
    let mut checkout =
        Checkout::choosing(config(&[("item-number", "0"), ("payment-token", "trx")]));
    checkout.on(Edit::Amount("1.5".to_owned()));
    let first = checkout.submit("first").unwrap();
    checkout.created(lost());
    checkout.on(FormEvent::FailureDismissed);
    checkout.on(Edit::Amount("1.50".to_owned()));
    assert_eq!(checkout.submit("second"), Some(first));
}

#[test]
fn another_form_is_another_attempt_and_waits_for_its_own_response() {
    let mut checkout = failed();
    checkout.on(FormEvent::FailureDismissed);
    checkout.on(Edit::Token(code("btc")));
    let second = checkout.submit("second").unwrap();
    assert_eq!(second.key, key("second"));
    assert_eq!(second.choice.code, code("btc"));

    for answered in [ok(payment_record(&[])), lost()] {
        checkout.ignores(FormEvent::CreateFinished(key("first"), answered.clone()));
        checkout.ignores(FormEvent::CreateFinished(key("third"), answered));
    }
    checkout.on(FormEvent::CreateFinished(key("second"), lost()));
    assert_eq!(
        checkout.on(Event::Retried),
        [Effect::Create(Box::new(second), None)]
    );
}

#[test]
fn a_submit_continues_what_another_element_has_begun() {
    let other = Checkout::submitting();
    let continued = |saved: Option<String>, token: &str| {
        let mut checkout = Checkout::choosing(config(&[]));
        checkout.on(Edit::Token(code(token)));
        checkout.on(FormEvent::SavedElsewhere(saved.unwrap()));
        checkout
    };
    let mut same = continued(other.saved(), "trx");
    assert_eq!(same.submit("second").unwrap().key, key("first"));
    let mut another = continued(other.saved(), "btc");
    assert_eq!(another.submit("second").unwrap().key, key("second"));

    let other = Checkout::awaiting();
    for (token, is_other_token) in [("trx", false), ("btc", true)] {
        let mut checkout = continued(other.saved(), token);
        assert_eq!(checkout.payment().record.transaction_id, "p-1");
        checkout.ignores(FormEvent::Submitted(key("second")));
        for _ in 0..2 {
            assert_eq!(checkout.payment().facts.is_other_token, is_other_token);
            checkout = checkout.reload().0;
        }
        // The buyer has seen it.
        checkout.return_by(PaymentEvent::ChangeRequested);
        checkout.on(FormEvent::Resumed);
        assert!(!checkout.payment().facts.is_other_token);
    }

    // The buyer can still pay if a saved attempt can't be continued.
    let mut alone = continued(Some("{}".to_owned()), "trx");
    assert_eq!(alone.submit("second").unwrap().key, key("second"));
}

#[test]
fn a_new_listing_keeps_the_attempt() {
    for again in [Event::Refreshed, Event::Reset] {
        let mut checkout = failed();
        checkout.on(FormEvent::FailureDismissed);
        assert_eq!(checkout.on(again), [Effect::FetchTokens]);
        checkout.on(Event::TokensFetched(lost()));
        checkout.on(Event::Retried);
        checkout.on(Event::TokensFetched(ok(offered())));
        checkout.on(Edit::Token(code("trx")));
        assert_eq!(checkout.submit("second").unwrap().key, key("first"));
    }
}
