//! Another token for the same order: the earlier payment is cancelled first.

use tender_checkout_core::order::Buyer;
use tender_checkout_core::{
    Config, Edit, Effect, Event, FailureCode, FetchResult, FormEvent, HostEvent, PaymentEvent,
    PaymentProgress, Phase,
};

use crate::abandoned::{abandoned, unsent};
use crate::cancelling::cancel;
use crate::marks::declined;
use crate::support::{
    Checkout, HASH, RECEIPT, answer, code, config, key, lost, offered, ok, payment_record,
    payment_record_in, read_status, reconfigured, signed_with, text, with_state, with_status,
};
use crate::wallets;

/// Chooses "Use another token" while a payment in TRX is open.
fn changing() -> Checkout {
    let mut checkout = Checkout::awaiting();
    assert_eq!(
        checkout.on(PaymentEvent::ChangeRequested),
        [Effect::FetchTokens]
    );
    assert_eq!(checkout.on(Event::TokensFetched(ok(offered()))), []);
    assert_eq!(checkout.context().form.payment_token, Some(code("trx")));
    checkout
}

/// Submits for Bitcoin, which requests only the cancellation of the payment in TRX.
fn cancelling() -> Checkout {
    let mut checkout = changing();
    checkout.on(Edit::Token(code("btc")));
    assert_eq!(checkout.on(FormEvent::Submitted(key("second"))), [cancel()]);
    assert!(matches!(checkout.state.phase, Phase::Submitting(..)));
    checkout
}

/// A signed order, whose payment in TRX the proxy replaces by one in Bitcoin.
fn replacing() -> Checkout {
    let mut checkout = Checkout::choosing(signed_with(&[]));
    checkout.on(Edit::Token(code("trx")));
    checkout.submit("first").unwrap();
    checkout.created(ok(payment_record(&[RECEIPT])));
    checkout.return_by(PaymentEvent::ChangeRequested);
    assert_eq!(creates(&checkout.submit_for("btc")), ["second"]);
    checkout
}

#[test]
fn a_payment_that_the_proxy_returns_again_was_not_replaced() {
    let has_cancelled = |id: &str| {
        let id = text(id);
        let mut checkout = replacing();
        let record = payment_record_in("btc", &[("transactionId", &*id)]);
        checkout.on(FormEvent::CreateFinished(key("second"), ok(record)));
        let mut events = checkout.host_events.iter();
        events.any(|event| matches!(event, HostEvent::Cancelled(_)))
    };
    assert!(has_cancelled("p-2") && !has_cancelled("p-1"));
}

#[test]
fn a_request_that_was_turned_away_has_replaced_nothing() {
    for (response, expected) in [(lost(), true), (answer(429, ""), false)] {
        let mut checkout = replacing();
        checkout.on(FormEvent::CreateFinished(key("second"), response));
        checkout.on(FormEvent::Resumed);
        assert_eq!(checkout.payment().may_be_cancelled(), expected);
    }
}

/// The keys of the create requests, if there are no other effects.
fn creates(effects: &[Effect]) -> Vec<&str> {
    let keys = effects.iter().map(|effect| match effect {
        Effect::Create(attempt, _) => attempt.key.0.as_str(),
        other => panic!("only a create follows: {other:?}"),
    });
    keys.collect()
}

#[test]
fn the_payment_before_is_cancelled_then_the_new_one_is_created() {
    let mut checkout = cancelling();
    let stopped = format!("[{}]", with_state("Stopped", "closed"));
    let effects = checkout.cancel_finished(ok(stopped));
    assert_eq!(creates(&effects), ["second"]);
    let HostEvent::Cancelled(payment) = checkout.last_event() else {
        panic!("the cancellation is dispatched");
    };
    assert_eq!(payment.transaction_id, "p-1");
    assert_eq!(payment.status.text(), "Stopped");
    let record = payment_record_in("btc", &[("transactionId", r#""p-2""#)]);
    checkout.on(FormEvent::CreateFinished(key("second"), ok(record)));
    assert_eq!(checkout.payment().record.transaction_id, "p-2");
    assert_eq!(checkout.payment().choice.code, code("btc"));
}

#[test]
fn all_other_events_are_ignored_while_the_open_payment_is_cancelled() {
    let mut checkout = cancelling();
    checkout.ignores_all([
        Event::Reset,
        Event::Refreshed,
        reconfigured(),
        FormEvent::Resumed.into(),
        FormEvent::Submitted(key("third")).into(),
        FormEvent::CreateFinished(key("second"), ok(payment_record(&[]))).into(),
        PaymentEvent::CancelFinished("p-2".to_owned(), ok("[]")).into(),
    ]);
}

#[test]
fn a_payment_that_could_not_be_cancelled_is_kept() {
    let results = [
        lost(),
        answer(502, ""),
        answer(409, ""),
        ok("no list"),
        // Without a way to cancel there would be two payments to pay.
        answer(404, ""),
        answer(501, ""),
    ];
    for answered in results {
        let mut checkout = cancelling();
        let cancel_failed = PaymentEvent::CancelFinished("p-1".to_owned(), answered);
        assert_eq!(checkout.on(cancel_failed), [], "no payment is created");
        let event = HostEvent::Error(checkout.failure().clone());
        assert_eq!(checkout.last_event(), event);

        // A retry starts with the cancellation.
        assert_eq!(checkout.on(Event::Retried), [cancel()]);
        checkout.cancel_finished(lost());
        assert_eq!(checkout.failure().code, FailureCode::Unreachable);

        // Both ways lead back to the payment.
        let mut failed = Checkout::new(config(&[]));
        failed.state = checkout.state.clone();
        failed.on(FormEvent::Resumed);
        assert_eq!(failed.payment().record.transaction_id, "p-1");
        assert_eq!(checkout.on(FormEvent::FailureDismissed), []);
        checkout.on(FormEvent::Resumed);
        assert_eq!(checkout.payment().record.transaction_id, "p-1");
    }
}

/// A buyer who may have paid is not asked to pay again.
#[test]
fn a_payment_that_may_be_paid_is_not_replaced() {
    let moved = || {
        let mut checkout = Checkout::awaiting();
        checkout.receive(with_status("Seen"));
        assert_eq!(
            checkout.payment().facts.progress(),
            PaymentProgress::StatusChanged
        );
        checkout
    };
    let sent = || {
        let mut checkout = Checkout::awaiting();
        checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
        assert!(checkout.payment().transaction().is_some());
        checkout
    };
    for mut checkout in [moved(), sent(), abandoned(), declined()] {
        checkout.ignores(PaymentEvent::ChangeRequested);

        // The page may call `reset()`: choosing any token leads back to the payment.
        checkout.return_by(Event::Reset);
        checkout.submit_for("btc");
        assert_eq!(checkout.payment().record.transaction_id, "p-1");
    }
}

/// The form is not shown meanwhile.
#[test]
fn attributes_that_change_while_a_payment_is_shown_count_at_the_form() {
    let email = |checkout: &Checkout| checkout.context().form.email.clone();
    let mut open = Checkout::awaiting();
    let mut closed = Checkout::awaiting();
    closed.receive(with_state("Expired", "closed"));
    for (checkout, leave) in [
        (&mut open, Event::from(PaymentEvent::ChangeRequested)),
        (&mut closed, Event::Reset),
    ] {
        let attributes = [("ask", "email"), ("purchase-email", "ada@example.com")];
        assert_eq!(checkout.reconfigure(&attributes), []);
        checkout.return_by(leave);
        assert_eq!(email(checkout), "ada@example.com");
    }
}

/// A wallet was asked, the buyer has said that nothing was sent, and is choosing Bitcoin. The wallet may still send.
fn changing_after_a_wallet(config: Config) -> Checkout {
    let mut checkout = unsent();
    checkout.config = config;
    if let Phase::Awaiting(payment) = &mut checkout.state.phase {
        let order = &checkout.config.order;
        let price = order.claims().quantity.clone().unwrap();
        payment.request = order.request(Buyer::default(), code("bnb"), price);
    }
    checkout.return_by(PaymentEvent::ChangeRequested);
    assert_eq!(checkout.submit_for("btc").len(), 1);
    checkout
}

/// The wallet sends, after all, while the payment is being replaced.
#[test]
fn a_payment_that_was_sent_while_it_was_being_replaced_stays_on_the_page() {
    let cancelled = || PaymentEvent::CancelFinished("p-1".to_owned(), ok("[]")).into();
    let created = |id: &str| {
        let record = payment_record_in("btc", &[("transactionId", &*text(id))]);
        Event::from(FormEvent::CreateFinished(key("second"), ok(record)))
    };
    let cases: [(Config, Option<FetchResult>, Event); 4] = [
        (config(&[]), None, cancelled()),
        // It is not cancelled again.
        (config(&[]), Some(lost()), Event::Retried),
        (signed_with(&[]), None, created("p-2")),
        (signed_with(&[]), None, created("p-1")),
    ];
    for (config, failed, event) in cases {
        let mut checkout = changing_after_a_wallet(config);
        if let Some(failed) = failed {
            checkout.cancel_finished(failed);
        }
        checkout.on(wallets::answer(1, Ok(wallets::HASH)));
        let case = format!("{event:?}");
        assert_eq!(checkout.on(event), [read_status()], "{case}");
        let payment = checkout.payment();
        assert_eq!(payment.record.transaction_id, "p-1", "{case}");
        assert_eq!(payment.transaction().unwrap().as_str(), wallets::HASH);
        checkout.stays();
    }
}
