//! From the page to a payment, and what the buyer sees.

use tender_checkout_core::{
    Cancelling, Edit, Effect, Event, FailureCode, FormEvent, FormProblem, HostEvent, PaymentEvent,
    PaymentProgress, Phase, Polling, StatusEvent,
};

use crate::support::{
    Checkout, RECEIPT, answer, code, codes, config, key, listing, lost, offered, ok,
    payment_record, reconfigured, token_record, wallet_of,
};

#[test]
fn a_buyer_chooses_submits_and_sees_amount_and_wallet() {
    let mut checkout = Checkout::new(config(&[("item-number", "0"), ("ask", "email name")]));
    assert!(matches!(checkout.state.phase, Phase::Loading(..)));
    assert_eq!(checkout.on(Event::Started(None)), [Effect::FetchTokens]);

    assert_eq!(checkout.on(Event::TokensFetched(ok(offered()))), []);
    assert_eq!(
        checkout.last_event(),
        HostEvent::Ready(codes("usdtt trx btc"))
    );
    assert_eq!(checkout.context().form.payment_token, None);

    for edit in [
        Edit::Amount("0.10".to_owned()),
        Edit::Email("a@example.com".to_owned()),
        Edit::Name("A".to_owned()),
        Edit::Token(code("trx")),
    ] {
        assert_eq!(checkout.on(edit), []);
    }
    assert_eq!(checkout.state.chosen().unwrap().name, "Name of trx");

    let attempt = checkout.submit("first").unwrap();
    assert_eq!(attempt.key, key("first"));
    assert_eq!(
        serde_json::to_string(&attempt.request).unwrap(),
        r#"{"token":"usdtt","quantity":0.10,"paymentToken":"trx","invoiceNumber":"INV-1042","purchaseEmail":"a@example.com","purchaseName":"A","itemNumber":"0"}"#
    );
    assert!(matches!(&checkout.state.phase, Phase::Submitting(_, sent, _) if *sent == attempt));
    assert_eq!(checkout.host_events, []);

    let record = payment_record(&[RECEIPT]);
    let effects = checkout.created(answer(201, record));
    assert_eq!(effects, [Effect::SchedulePoll(5)]);
    let awaiting = checkout.payment().clone();
    assert_eq!(
        checkout.last_event(),
        HostEvent::Created(awaiting.record.clone())
    );
    assert_eq!(checkout.host_events, []);
    assert_eq!(awaiting.record.wallet, wallet_of("trx"));
    assert_eq!(awaiting.record.quantity_pay.to_string(), "95.12345678");
    assert_eq!(
        awaiting.send.amount.to_string(),
        "95.123457",
        "TRX has six decimals"
    );
    assert_eq!(awaiting.choice.network, "TRON");
    assert_eq!(awaiting.receipt.as_deref(), Some("r.e.ceipt"));
    assert_eq!(awaiting.facts.progress(), PaymentProgress::Open);
    assert_eq!(awaiting.cancelling, Cancelling::Idle);
    assert_eq!(awaiting.following.polling, Polling::Waiting(0));
}

#[test]
fn without_a_receipt_a_payment_is_not_polled() {
    let mut checkout = Checkout::submitting();
    assert_eq!(checkout.created(ok(payment_record(&[]))), []);
    assert_eq!(checkout.payment().receipt, None);
    assert_eq!(checkout.stream, None, "nothing lets this page in");
    checkout.ignores(StatusEvent::PollDue);
    checkout.ignores(StatusEvent::PageSeen);
    checkout.ignores(Event::Refreshed);
}

#[test]
fn the_preselected_token_is_chosen_if_it_is_offered_and_so_is_the_only_one() {
    let cases: [(&[(&str, &str)], _); 5] = [
        (&[("payment-token", "BTC")], Some("btc")),
        (&[("payment-token", "bnb")], None),
        (&[("payment-token", "btc"), ("accept", "trx usdtt")], None),
        (&[], None),
        (&[("accept", "trx")], Some("trx")),
    ];
    for (attributes, chosen) in cases {
        let checkout = Checkout::choosing(config(attributes));
        let form = &checkout.context().form;
        assert_eq!(form.payment_token, chosen.map(code), "{attributes:?}");
    }
}

#[test]
fn the_price_has_the_symbol_of_the_listing_or_the_code() {
    for (attribute, symbol) in [
        (("locale", "en"), "USDT"),
        // It need not be offered.
        (("accept", "btc"), "USDT"),
        (("token", "kxp"), "KXP"),
        // Not its code.
        (("token", "usdte"), "USDT"),
    ] {
        let checkout = Checkout::choosing(config(&[attribute]));
        assert_eq!(checkout.form().price_symbol, symbol, "{attribute:?}");
    }
}

#[test]
fn an_invalid_form_shows_its_problem_until_it_changes() {
    let mut checkout = Checkout::choosing(config(&[("ask", "email!")]));
    for (change, expected) in [
        (Edit::Email(String::new()), FormProblem::NoToken),
        (Edit::Token(code("btc")), FormProblem::EmailMissing),
        (Edit::Email("a".to_owned()), FormProblem::EmailInvalid),
    ] {
        checkout.on(change);
        assert_eq!(checkout.form().problem, None);
        assert_eq!(checkout.submit("unused"), None);
        assert_eq!(checkout.form().problem, Some(expected));
    }
    assert_eq!(
        checkout.host_events.len(),
        1,
        "a problem is between the buyer and the form"
    );
    checkout.on(Edit::Email("a@b".to_owned()));
    let attempt = checkout.submit("second").unwrap();
    assert_eq!(
        attempt.key,
        key("second"),
        "keys of forms that were not sent are not used"
    );
    assert!(matches!(&checkout.state.phase, Phase::Submitting(form, ..) if form.problem.is_none()));
}

#[test]
fn without_tokens_the_checkout_is_unavailable_until_a_retry() {
    let unaccepted = listing(&[token_record("eth", &[])]);
    let answers = [
        (lost(), FailureCode::Unreachable),
        (answer(503, ""), FailureCode::ServiceFailed),
        (ok("<html>"), FailureCode::AnswerUnreadable),
        (ok("[]"), FailureCode::NoTokens),
        (ok(unaccepted), FailureCode::NoTokens),
    ];
    for again in [
        Event::Retried,
        Event::Refreshed,
        Event::Reset,
        reconfigured(),
    ] {
        for (answered, code) in answers.clone() {
            let mut checkout = Checkout::new(config(&[]));
            checkout.on(Event::Started(None));
            assert_eq!(checkout.on(Event::TokensFetched(answered)), []);
            let Phase::Unavailable(failure) = checkout.state.phase.clone() else {
                panic!("{:?}", checkout.state);
            };
            assert_eq!(failure.code, code);
            assert_eq!(checkout.last_event(), HostEvent::Error(failure));

            assert_eq!(checkout.on(again.clone()), [Effect::FetchTokens]);
            assert!(matches!(checkout.state.phase, Phase::Loading(..)));
            checkout.on(Event::TokensFetched(ok(offered())));
            assert_eq!(checkout.form().choices.len(), 3);
        }
    }
}

#[test]
fn unreadable_records_do_not_hide_the_others() {
    let mut checkout = Checkout::new(config(&[]));
    checkout.on(Event::Started(None));
    let no_network = token_record("trx", &[("network", "null")]);
    let records = listing(&["null".to_owned(), no_network, token_record("btc", &[])]);
    checkout.on(Event::TokensFetched(ok(records)));
    assert_eq!(checkout.last_event(), HostEvent::Ready(codes("btc")));
}

#[test]
fn an_event_without_a_meaning_in_the_state_is_ignored() {
    let id = || "p-1".to_owned();
    let others = [
        Event::from(StatusEvent::PollDue),
        PaymentEvent::HashEntered("e3".to_owned()).into(),
        PaymentEvent::CancelDismissed.into(),
        PaymentEvent::CancelConfirmed.into(),
        PaymentEvent::CancelFinished(id(), ok("[]")).into(),
        StatusEvent::Fetched(id(), ok(payment_record(&[]))).into(),
        FormEvent::CreateFinished(key("first"), ok(payment_record(&[]))).into(),
        Event::TokensFetched(ok(offered())),
        Event::Retried,
        FormEvent::FailureDismissed.into(),
        FormEvent::Resumed.into(),
        StatusEvent::PageHidden.into(),
        StatusEvent::PageSeen.into(),
        Event::Started(None),
    ];
    Checkout::choosing(config(&[])).ignores_all(others);
    let typing = [
        Event::from(Edit::Token(code("btc"))),
        Edit::Email("late@example.com".to_owned()).into(),
        Edit::Name("Late".to_owned()).into(),
        Edit::Amount("9".to_owned()).into(),
        FormEvent::Submitted(key("late")).into(),
    ];
    for mut checkout in [Checkout::submitting(), Checkout::awaiting()] {
        checkout.ignores_all(typing.clone());
        checkout.ignores_all([
            Event::Started(None),
            Event::TokensFetched(ok(offered())),
            Event::Retried,
            FormEvent::FailureDismissed.into(),
        ]);
    }
    let mut loading = Checkout::new(config(&[]));
    loading.on(Event::Started(None));
    loading.ignores_all(typing);
    loading.ignores_all([
        Event::Refreshed,
        Event::Reset,
        reconfigured(),
        Event::Retried,
    ]);
}
