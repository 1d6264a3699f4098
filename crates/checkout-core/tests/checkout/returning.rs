//! Returning to the token choice: `reset()`, `refresh()` and changed attributes.

use tender_checkout_core::{
    Cancelling, Edit, Effect, Event, Form, FormEvent, HostEvent, PaymentEvent, Phase, Polling,
    StatusEvent,
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
    assert!(matches!(checkout.state.phase, Phase::Loading(..)));
    checkout.on(Event::TokensFetched(ok(offered())));
    checkout.context().form.clone()
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
fn a_refresh_keeps_what_was_typed_and_a_reset_starts_again() {
    let same = &[
        ("ask", "email"),
        ("payment-token", "btc"),
        ("purchase-email", "a@shop.example"),
    ][..];
    let without_trx = &[("accept", "usdtt btc"), ("ask", "email")];
    for (event, attributes, email, token) in [
        (Event::Refreshed, same, "b@example.com", Some("trx")),
        (Event::Reset, same, "a@shop.example", Some("btc")),
        (Event::Refreshed, without_trx, "b@example.com", None),
    ] {
        let mut checkout = typing();
        checkout.config = config(attributes);
        let name = format!("{event:?} {attributes:?}");
        assert_eq!(after(&mut checkout, event), form(email, token), "{name}");
    }
}

#[test]
fn after_a_failure_a_reset_and_other_attributes_keep_what_was_typed() {
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
    assert_eq!(
        checkout.reconfigure(&[("ask", "email"), ("purchase-email", "c@shop.example")]),
        []
    );
    assert_eq!(checkout.context().form, form("b@example.com", Some("trx")));
    assert_eq!(checkout.submit("second").unwrap().key, key("first"));
}

/// The form changes in place. Nothing is loaded again, so the focus also stays.
#[test]
fn changed_attributes_keep_what_the_buyer_chose_and_typed() {
    let ask = ("ask", "email");
    for (attributes, offered, email, token) in [
        (&[ask][..], "usdtt trx btc", "b@example.com", Some("trx")),
        (
            &[ask, ("purchase-email", "c@shop.example")],
            "usdtt trx btc",
            "b@example.com",
            Some("trx"),
        ),
        (
            &[ask, ("accept", "btc trx"), ("payment-token", "btc")],
            "btc trx",
            "b@example.com",
            Some("trx"),
        ),
        // The chosen token is no longer offered.
        (
            &[ask, ("accept", "btc usdtt")],
            "btc usdtt",
            "b@example.com",
            None,
        ),
        (
            &[ask, ("accept", "usdtt")],
            "usdtt",
            "b@example.com",
            Some("usdtt"),
        ),
    ] {
        let mut checkout = typing();
        checkout.host_events.clear();
        assert_eq!(checkout.reconfigure(attributes), [], "{attributes:?}");
        let codes: Vec<_> = offered.split(' ').map(code).collect();
        assert_eq!(checkout.host_events, [HostEvent::Ready(codes)]);
        assert_eq!(
            checkout.context().form,
            form(email, token),
            "{attributes:?}"
        );
    }
}

#[test]
fn changed_attributes_fill_in_what_the_buyer_has_not_touched() {
    let attributes = [("ask", "email"), ("payment-token", "btc")];
    let known = [("purchase-email", "a@shop.example")];
    let mut checkout = Checkout::choosing(config(&attributes));
    checkout.reconfigure(&[&attributes[..], &known].concat());
    assert_eq!(checkout.context().form, form("a@shop.example", Some("btc")));
    // The buyer has signed out.
    checkout.reconfigure(&[("ask", "email"), ("payment-token", "trx")]);
    assert_eq!(checkout.context().form, form("", Some("trx")));
    // A token that is only no longer preselected stays.
    checkout.reconfigure(&[("ask", "email")]);
    assert_eq!(checkout.context().form, form("", Some("trx")));
    // Those that were not accepted before are still known.
    checkout.reconfigure(&[("accept", "btc")]);
    checkout.reconfigure(&[]);
    assert_eq!(checkout.form().choices.len(), 3);
}

#[test]
fn changed_attributes_wait_for_no_request() {
    // A listing that is being loaded again.
    let mut checkout = typing();
    assert_eq!(checkout.on(Event::Refreshed), [Effect::FetchTokens]);
    let changed = [
        ("ask", "email"),
        ("payment-token", "usdtt"),
        ("purchase-name", "A"),
    ];
    assert_eq!(checkout.reconfigure(&changed), []);
    checkout.on(Event::TokensFetched(ok(offered())));
    let expected = Form {
        name: "A".to_owned(),
        ..form("b@example.com", Some("trx"))
    };
    assert_eq!(checkout.context().form, expected);

    // A payment that is being created, as it was submitted.
    for (accept, left) in [("btc", 1), ("kxp", 3)] {
        let mut checkout = typing();
        let attempt = checkout.submit("first").unwrap();
        assert_eq!(checkout.reconfigure(&[("accept", accept)]), []);
        assert!(matches!(&checkout.state.phase, Phase::Submitting(_, now, _) if *now == attempt));
        checkout.created(lost());
        assert_eq!(checkout.state.choosing().unwrap().choices.len(), left);
        assert_eq!(
            checkout.on(Event::Retried),
            [Effect::Create(Box::new(attempt), None)]
        );
    }
}

#[test]
fn without_an_accepted_token_there_is_no_form() {
    let mut checkout = typing();
    checkout.reconfigure(&[("accept", "kxp")]);
    assert!(matches!(checkout.state.phase, Phase::Unavailable(..)));
    assert_eq!(
        checkout.reconfigure(&[("ask", "email")]),
        [Effect::FetchTokens]
    );
    checkout.on(Event::TokensFetched(ok(offered())));
    assert_eq!(checkout.context().form, form("b@example.com", None));
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
        assert_eq!(checkout.context().form.payment_token, Some(code("trx")));
        assert_eq!(checkout.context().open_payment().unwrap().record, payment);
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
    assert_eq!(checkout.payment().following.polling, Polling::Requesting(0));
}
