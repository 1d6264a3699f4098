//! Cancelling a payment, with any response of the proxy.

use tender_checkout_core::{
    Cancelling, Effect, Event, FailureCode, FormEvent, HostEvent, PaymentEvent, Phase, Polling,
    Reason, StatusEvent, TransportError,
};

use crate::support::{
    Checkout, HASH, answer, lost, ok, payment_record, read_status, reconfigured, with_status,
};

/// The request to cancel the payment.
pub(crate) fn cancel() -> Effect {
    Effect::Cancel {
        transaction_id: "p-1".to_owned(),
        receipt: Some("r.e.ceipt".to_owned()),
    }
}

/// A checkout that is cancelling its payment.
fn cancelling() -> Checkout {
    let mut checkout = Checkout::awaiting();
    assert_eq!(checkout.cancel(), [cancel()]);
    assert_eq!(checkout.payment().cancelling, Cancelling::Requested);
    checkout
}

/// A checkout whose payment was cancelled.
pub(crate) fn cancelled() -> Checkout {
    let mut checkout = cancelling();
    assert_eq!(
        checkout.cancel_finished(ok(format!("[{}]", with_status("Stopped")))),
        []
    );
    checkout
}

#[test]
fn cancelling_asks_for_confirmation_and_can_be_dismissed() {
    let mut checkout = Checkout::awaiting();
    checkout.ignores(PaymentEvent::CancelConfirmed);
    checkout.ignores(PaymentEvent::CancelDismissed);
    assert!(!checkout.payment().may_be_cancelled());
    checkout.on(PaymentEvent::CancelRequested);
    assert_eq!(checkout.payment().cancelling, Cancelling::Confirming);
    checkout.ignores(PaymentEvent::CancelRequested);
    checkout.ignores(PaymentEvent::ChangeRequested);
    assert_eq!(checkout.on(PaymentEvent::CancelDismissed), []);
    assert_eq!(checkout.payment().cancelling, Cancelling::Idle);
    checkout.ignores(PaymentEvent::CancelConfirmed);
}

#[test]
fn a_cancellation_is_sent_once() {
    let mut checkout = cancelling();
    checkout.ignores_all([
        Event::Reset,
        PaymentEvent::CancelRequested.into(),
        PaymentEvent::CancelConfirmed.into(),
        PaymentEvent::CancelDismissed.into(),
        PaymentEvent::ChangeRequested.into(),
    ]);
}

#[test]
fn an_accepted_cancellation_ends_the_payment_which_is_no_longer_followed() {
    let checkout = &mut cancelled();
    let Phase::NotPayable(Reason::Cancelled, ended) = checkout.state.phase.clone() else {
        panic!("{:?}", checkout.state);
    };
    assert_eq!(ended.record.status.text(), "Stopped");
    assert_eq!(checkout.last_event(), HostEvent::Cancelled(ended.record));
    assert_eq!(checkout.stream, None);
    checkout.ignores_all([
        Event::Refreshed,
        reconfigured(),
        StatusEvent::PollDue.into(),
        PaymentEvent::CancelRequested.into(),
    ]);
}

#[test]
fn without_a_record_in_the_response_the_shown_record_is_emitted() {
    let other = payment_record(&[("transactionId", r#""p-2""#)]);
    for list in [
        "[]".to_owned(),
        format!("[{other}]"),
        r#"[{"transactionId":"p-1"}]"#.to_owned(),
    ] {
        let mut checkout = cancelling();
        let shown = checkout.payment().record.clone();
        checkout.cancel_finished(ok(list));
        assert_eq!(checkout.last_event(), HostEvent::Cancelled(shown.clone()));
        assert!(
            matches!(&checkout.state.phase, Phase::NotPayable(Reason::Cancelled, ended) if ended.record == shown)
        );
    }
}

#[test]
fn a_failed_cancellation_keeps_the_payment_and_can_be_repeated() {
    let answers = [
        (lost(), FailureCode::Unreachable),
        (Err(TransportError::TimedOut), FailureCode::Timeout),
        (answer(500, ""), FailureCode::ServiceFailed),
        (answer(429, ""), FailureCode::ServiceFailed),
        (answer(403, ""), FailureCode::RequestRefused),
        (ok("<html>"), FailureCode::AnswerUnreadable),
    ];
    for (failing, code) in answers {
        let is_turned_away = failing == answer(429, "");
        let mut checkout = cancelling();
        assert!(checkout.payment().may_be_cancelled());
        assert_eq!(checkout.cancel_finished(failing), []);
        let Cancelling::Failed(failure) = checkout.payment().cancelling.clone() else {
            panic!("{:?}", checkout.payment().cancelling);
        };
        assert_eq!(failure.code, code);
        assert_eq!(checkout.last_event(), HostEvent::Error(failure));
        // Only a refusal proves that it was not cancelled, and that too many requests were sent.
        let is_unclear = code != FailureCode::RequestRefused && !is_turned_away;
        assert_eq!(checkout.payment().may_be_cancelled(), is_unclear);

        assert!(checkout.payment().may_change());
        checkout.ignores(PaymentEvent::CancelConfirmed);
        assert_eq!(checkout.cancel().len(), 1);
        checkout.cancel_finished(ok("[]"));
        assert!(matches!(
            checkout.state.phase,
            Phase::NotPayable(Reason::Cancelled, _)
        ));
    }
}

/// A checkout whose proxy has no cancel route.
fn without_cancel(status: u16) -> Checkout {
    let mut checkout = cancelling();
    assert_eq!(checkout.cancel_finished(answer(status, "<html>")), []);
    assert!(matches!(
        checkout.payment().cancelling,
        Cancelling::Unavailable(_)
    ));
    assert!(!checkout.payment().may_be_cancelled());
    checkout
}

/// Cancelling is offered again, and the buyer still sees that it failed.
fn is_offered_again(checkout: &Checkout) -> bool {
    matches!(checkout.payment().cancelling, Cancelling::Failed(_))
}

#[test]
fn a_proxy_that_does_not_cancel_switches_it_off_quietly() {
    for code in [404, 405, 501] {
        let mut checkout = without_cancel(code);
        assert_eq!(checkout.errors(), []);
        checkout.ignores_all([
            PaymentEvent::CancelRequested,
            PaymentEvent::CancelConfirmed,
            PaymentEvent::CancelDismissed,
        ]);
    }
}

/// The proxy may have been restarting.
#[test]
fn cancelling_is_offered_again_later() {
    for later in [
        Event::from(StatusEvent::PollDue),
        StatusEvent::PageSeen.into(),
        Event::Refreshed,
    ] {
        let mut checkout = without_cancel(404);
        checkout.on(later);
        assert!(is_offered_again(&checkout));
        assert_eq!(checkout.cancel().len(), 1);
    }
    let mut checkout = without_cancel(404);
    checkout.return_by(Event::Reset);
    checkout.on(FormEvent::Resumed);
    assert_eq!(checkout.payment().cancelling, Cancelling::Idle);
}

/// Without a receipt there is no polling, so the timer is only for this.
#[test]
fn without_a_receipt_cancelling_is_offered_again_after_a_minute() {
    let mut checkout = Checkout::submitting();
    checkout.created(ok(payment_record(&[])));
    let cancel = Effect::Cancel {
        transaction_id: "p-1".to_owned(),
        receipt: None,
    };
    assert_eq!(checkout.cancel(), [cancel]);
    let effects = checkout.cancel_finished(answer(404, ""));
    assert_eq!(effects, [Effect::SchedulePoll(60)]);
    assert_eq!(checkout.on(StatusEvent::PollDue), []);
    assert!(is_offered_again(&checkout));
    checkout.ignores(StatusEvent::PollDue);
}

#[test]
fn only_the_response_to_this_cancellation_counts() {
    let accepted = || ok(format!("[{}]", payment_record(&[])));
    let mut checkout = cancelling();
    checkout.ignores(PaymentEvent::CancelFinished("p-2".to_owned(), accepted()));
    for before in [PaymentEvent::CancelDismissed, PaymentEvent::CancelRequested] {
        let mut checkout = Checkout::awaiting();
        checkout.on(before);
        checkout.ignores(PaymentEvent::CancelFinished("p-1".to_owned(), accepted()));
    }
    checkout.cancel_finished(lost());
    checkout.ignores(PaymentEvent::CancelFinished("p-1".to_owned(), accepted()));
}

#[test]
fn polling_continues_while_the_payment_is_being_cancelled() {
    let mut checkout = cancelling();
    assert_eq!(checkout.on(StatusEvent::PollDue).len(), 1);
    checkout.fetch(ok(with_status("Paid")));
    assert_eq!(checkout.payment().record.status.text(), "Paid");
    assert_eq!(checkout.payment().cancelling, Cancelling::Requested);
    assert_eq!(checkout.payment().following.polling, Polling::Waiting(0));
}

/// The buyer has sent the money, so the checkout must not ask for another payment.
#[test]
fn a_payment_whose_transaction_is_known_is_shown_after_it_was_cancelled() {
    for (list, status) in [
        (format!("[{}]", with_status("Stopped")), "Stopped"),
        ("[]".to_owned(), "Created"),
    ] {
        let mut checkout = cancelling();
        checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
        assert_eq!(checkout.cancel_finished(ok(list)), []);
        assert_eq!(checkout.payment().transaction().unwrap().as_str(), HASH);
        assert_eq!(checkout.payment().record.status.text(), status);
        assert_eq!(checkout.payment().cancelling, Cancelling::Idle);
        assert!(checkout.stream.is_some(), "the status is still followed");
        assert!(
            !checkout
                .host_events
                .iter()
                .any(|event| matches!(event, HostEvent::Cancelled(_)))
        );
    }
}

#[test]
fn a_payment_that_has_progressed_is_not_cancelled_and_may_be_paid() {
    let mut checkout = cancelling();
    let effects = checkout.cancel_finished(answer(409, r#"{"code":"payment-progressed"}"#));
    assert_eq!(effects, [read_status()]);
    let payment = checkout.payment();
    assert!(!payment.may_be_cancelled() && payment.may_be_paid());
}

/// Neither a proxy without the route, nor a buyer who changes their mind, nor a reload says what an earlier request has done.
#[test]
fn a_payment_that_may_be_cancelled_stays_so_until_a_request_is_refused() {
    let mut checkout = cancelling();
    checkout.cancel_finished(lost());
    checkout.on(PaymentEvent::CancelRequested);
    assert!(checkout.payment().may_be_cancelled());
    checkout.on(PaymentEvent::CancelDismissed);
    assert!(checkout.payment().may_be_cancelled());
    checkout.cancel();
    for nothing_done in [answer(404, ""), answer(429, "")] {
        checkout.cancel_finished(nothing_done);
        assert!(checkout.payment().may_be_cancelled());
        checkout.on(StatusEvent::PollDue);
        checkout.cancel();
    }
    checkout.cancel_finished(lost());

    let (mut reloaded, _) = checkout.reload();
    assert!(reloaded.payment().may_be_cancelled());
    reloaded.cancel();
    reloaded.cancel_finished(answer(403, ""));
    assert!(!reloaded.payment().may_be_cancelled());
}

#[test]
fn a_payment_that_may_have_been_replaced_may_be_cancelled() {
    for (response, expected) in [
        (lost(), true),
        (answer(404, ""), false),
        (answer(429, ""), false),
    ] {
        let mut checkout = Checkout::awaiting();
        checkout.return_by(PaymentEvent::ChangeRequested);
        checkout.submit_for("btc");
        checkout.cancel_finished(response);
        checkout.on(FormEvent::Resumed);
        assert_eq!(checkout.payment().may_be_cancelled(), expected);
    }
}

/// The money may be on its way.
#[test]
fn a_payment_whose_status_has_changed_is_not_cancelled() {
    let mut checkout = Checkout::awaiting();
    checkout.receive(with_status("Confirming"));
    assert!(!checkout.payment().may_cancel());
    checkout.ignores(PaymentEvent::CancelRequested);

    let mut checkout = Checkout::awaiting();
    checkout.on(PaymentEvent::CancelRequested);
    checkout.receive(with_status("Confirming"));
    checkout.ignores(PaymentEvent::CancelConfirmed);
}

#[test]
fn the_shop_is_told_how_to_find_the_payment() {
    let mut checkout = Checkout::awaiting();
    let details = checkout.payment().details_for_shop("INV-7");
    let payment = checkout.payment();
    let expected = format!(
        "invoiceNumber: INV-7\ntransactionId: p-1\nquantityPay: {}\npaymentToken: trx\nnetwork: TRON\nwallet: {}",
        payment.send.amount, payment.record.wallet
    );
    assert_eq!(details, expected);
    checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
    let details = checkout.payment().details_for_shop("INV-7");
    assert_eq!(details, format!("{expected}\ntransactionHash: {HASH}"));
}
