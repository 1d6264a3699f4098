//! Returning to the token choice: `reset()`, `refresh()` and changed attributes.

use tender_checkout_core::{
    Cancelling, Edit, Effect, Event, Form, FormEvent, PaymentEvent, Polling, State, StatusEvent,
};

use crate::support::{Checkout, code, config, key, lost, offered, ok, read_status, with_status};

/// A checkout with a partly filled form.
fn typing() -> Checkout {
    let attributes = [
        ("ask", "email"),
        ("payment-token", "btc"),
        ("purchase-email", "a@shop.example"),
    ];
    let mut checkout = Checkout::choosing(config(&attributes));
    checkout.on(Edit::Email("b@example.com".to_owned()));
    checkout.on(Edit::Token(code("trx")));
    checkout
}

/// The form after `event` and the new token listing.
fn after(checkout: &mut Checkout, event: Event) -> Form {
    assert_eq!(checkout.on(event), [Effect::FetchTokens]);
    assert!(matches!(checkout.state, State::Loading(..)));
    checkout.on(Event::TokensFetched(ok(offered())));
    checkout.form().form.clone()
}

fn form(email: &str, token: Option<&str>) -> Form {
    Form {
        payment_token: token.map(code),
        email: email.to_owned(),
        name: String::new(),
        amount: "25.50".to_owned(),
    }
}

#[test]
fn a_refresh_keeps_what_was_typed_and_a_reset_or_other_attributes_start_again() {
    let same = &[
        ("ask", "email"),
        ("payment-token", "btc"),
        ("purchase-email", "a@shop.example"),
    ][..];
    let another = &[
        ("accept", "usdtt"),
        ("ask", "email"),
        ("purchase-email", "c@shop.example"),
    ];
    let without_trx = &[("accept", "usdtt btc"), ("ask", "email")];
    for (event, attributes, email, token) in [
        (Event::Refreshed, same, "b@example.com", Some("trx")),
        (Event::Reset, same, "a@shop.example", Some("btc")),
        (
            Event::Reconfigured,
            another,
            "c@shop.example",
            Some("usdtt"),
        ),
        (Event::Refreshed, without_trx, "b@example.com", None),
    ] {
        let mut checkout = typing();
        checkout.config = config(attributes);
        let name = format!("{event:?} {attributes:?}");
        assert_eq!(after(&mut checkout, event), form(email, token), "{name}");
    }
}

#[test]
fn after_a_failure_a_reset_keeps_what_was_typed_and_other_attributes_do_not() {
    let failed = || {
        let mut checkout = typing();
        checkout.submit("first").unwrap();
        checkout.created(lost());
        checkout
    };
    failed().ignores(Event::Refreshed);
    let mut checkout = failed();
    assert_eq!(
        after(&mut checkout, Event::Reset),
        form("b@example.com", Some("trx"))
    );
    assert_eq!(checkout.submit("second").unwrap().key, key("first"));

    let mut checkout = failed();
    checkout.config = config(&[("ask", "email"), ("purchase-email", "b@example.com")]);
    assert_eq!(
        after(&mut checkout, Event::Reconfigured),
        form("b@example.com", None)
    );
    checkout.on(Edit::Token(code("trx")));
    assert_eq!(checkout.submit("second").unwrap().key, key("first"));
}

/// The shop's page may call `reset()` as soon as it receives `tender-created`.
#[test]
fn the_same_form_and_going_back_show_the_same_payment_without_a_request() {
    let submit = || Event::from(FormEvent::Submitted(key("second")));
    for (leave, back) in [
        (Event::Reset, submit()),
        (PaymentEvent::ChangeRequested.into(), submit()),
        (
            PaymentEvent::ChangeRequested.into(),
            FormEvent::Resumed.into(),
        ),
    ] {
        let mut checkout = Checkout::awaiting();
        let payment = checkout.payment().record.clone();
        checkout.return_by(leave);
        assert_eq!(checkout.form().form.payment_token, Some(code("trx")));
        assert_eq!(checkout.form().open_payment().unwrap().record, payment);
        assert_eq!(checkout.stream, None);
        checkout.ignores(StatusEvent::Received("p-1".to_owned(), with_status("Seen")));

        checkout.host_events.clear();
        assert_eq!(checkout.on(back), [read_status()]);
        assert_eq!(checkout.payment().record, payment);
        assert!(checkout.stream.is_some());
        assert_eq!(
            checkout.host_events,
            [],
            "its creation was dispatched before"
        );
        checkout.fetch(ok(with_status("Paid")));
        assert_eq!(checkout.payment().record.status.text(), "Paid");
    }
}

#[test]
fn responses_that_arrive_after_a_reset_are_ignored() {
    let mut checkout = Checkout::awaiting();
    checkout.on(PaymentEvent::CancelRequested);
    checkout.on(StatusEvent::PollDue);
    checkout.return_by(Event::Reset);
    checkout.ignores_all([
        Event::from(StatusEvent::Fetched(
            "p-1".to_owned(),
            ok(with_status("Paid")),
        )),
        StatusEvent::PollDue.into(),
        PaymentEvent::CancelConfirmed.into(),
    ]);
    assert_eq!(checkout.on(FormEvent::Submitted(key("second"))).len(), 1);
    assert_eq!(checkout.payment().cancelling, Cancelling::Idle);
    assert_eq!(checkout.payment().polling, Polling::Requesting(0));
}
