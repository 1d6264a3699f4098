//! The payment of a signed order is found again, in any tab and on any device.

use tender_checkout_core::{
    Access, Edit, Effect, Event, FailureCode, FormEvent, FormProblem, HostEvent, LookUp,
    MarkSecret, PaymentEvent, PaymentProgress, Phase, SubmitStep,
};

use crate::support::{
    Checkout, HASH, RECEIPT, answer, code, key, listing, lost, name, no_payment, offered, ok,
    payment_record, payment_record_in, read_status, receipt, signed_with, text, token_record,
    with_state,
};

/// A checkout of a signed order that waits for the listing and the look-up.
fn started() -> Checkout {
    let mut checkout = Checkout::new(signed_with(&[]));
    let effects = checkout.on(Event::Started(None));
    assert_eq!(effects, [Effect::FetchTokens, Effect::FindPayment]);
    checkout
}

/// The same with the form; the look-up is under way.
fn choosing() -> Checkout {
    let mut checkout = started();
    assert_eq!(checkout.on(Event::TokensFetched(ok(offered()))), []);
    assert!(checkout.context().look_up == LookUp::Requested);
    checkout
}

/// The order's payment, in Bitcoin, with further fields.
fn found(fields: &[(&str, &str)]) -> Event {
    let id = [
        ("transactionId", r#""p-1""#),
        ("paymentTokenCode", r#""btc""#),
    ];
    let record = payment_record_in("btc", &[&id[..], &[RECEIPT], fields].concat());
    Event::FindFinished(ok(record))
}

fn found_in_state(state: &str) -> Event {
    found(&[("state", &text(state))])
}

const STATES: [&str; 6] = ["open", "pending", "underpaid", "unknown", "paid", "closed"];

#[test]
fn the_payment_is_shown_in_its_state_whenever_the_answer_arrives() {
    for state in STATES {
        let submitted = || {
            let mut checkout = choosing();
            checkout.on(Edit::Token(code("trx")));
            assert_eq!(checkout.on(FormEvent::Submitted(key("first"))), []);
            checkout
        };
        let unavailable = || {
            let mut checkout = started();
            checkout.on(Event::TokensFetched(lost()));
            checkout
        };
        for mut checkout in [choosing(), submitted(), unavailable()] {
            checkout.host_events.clear();
            checkout.on(found_in_state(state));
            assert_eq!(name(&checkout.state), state);
            // Only its state is dispatched, and no creation.
            let count = usize::from(!["open", "unknown"].contains(&state));
            assert_eq!(checkout.host_events.len(), count, "{state}");
            assert_eq!(checkout.created_events().len(), 0);
            let shown = checkout.state.payment().unwrap();
            assert_eq!(shown.facts.access, Access::Found);
            assert_eq!(shown.receipt.as_deref(), Some("r.e.ceipt"));
            assert_eq!(shown.choice.code, code("btc"));
            assert_eq!(checkout.stream.is_some(), state != "paid", "{state}");
        }
    }
}

#[test]
fn an_answer_before_the_listing_waits_for_the_names_of_the_tokens() {
    for tokens in [
        ok(offered()),
        lost(),
        ok(listing(&[token_record("trx", &[])])),
    ] {
        let mut checkout = started();
        assert_eq!(checkout.on(found_in_state("paid")), []);
        assert_eq!(name(&checkout.state), "found");
        checkout.on(Event::TokensFetched(tokens));
        assert_eq!(name(&checkout.state), "paid");
        let choice = &checkout.state.payment().unwrap().choice;
        assert!(["USDT", "BTC"].contains(&&*choice.symbol), "{choice:?}");
    }
}

#[test]
fn without_a_payment_or_without_the_route_there_is_the_form() {
    let not_found = answer(404, r#"{"code":"not-found"}"#);
    for nothing in [
        no_payment(),
        answer(405, ""),
        answer(404, "<html>"),
        not_found,
    ] {
        let mut checkout = choosing();
        checkout.host_events.clear();
        assert_eq!(checkout.on(Event::FindFinished(nothing)), []);
        assert!(checkout.context().look_up == LookUp::Done);
        assert!(checkout.host_events.is_empty(), "it is no error");
        checkout.on(Edit::Token(code("trx")));
        assert!(checkout.submit("first").is_some());
    }
    // Also if the answer arrives while no token is offered.
    let mut checkout = started();
    checkout.on(Event::TokensFetched(lost()));
    checkout.on(Event::FindFinished(no_payment()));
    assert_eq!(checkout.on(Event::Retried), [Effect::FetchTokens]);
    checkout.on(Event::TokensFetched(ok(offered())));
    assert!(checkout.context().look_up == LookUp::Done);
}

#[test]
fn a_press_waits_for_the_look_up_and_then_goes_on() {
    let mut checkout = choosing();
    checkout.on(Edit::Token(code("trx")));
    assert_eq!(checkout.on(FormEvent::Submitted(key("first"))), []);
    assert!(matches!(
        checkout.state.phase,
        Phase::Submitting(_, _, SubmitStep::Finding(None))
    ));
    checkout.ignores(FormEvent::Submitted(key("second")));
    let [Effect::Create(attempt, None)] = &checkout.on(Event::FindFinished(no_payment()))[..]
    else {
        panic!("the press goes on: {:?}", checkout.state);
    };
    assert_eq!(attempt.key, key("first"));
}

#[test]
fn after_a_failed_look_up_a_press_repeats_it_before_anything_is_created() {
    let mut checkout = choosing();
    checkout.on(Event::FindFinished(answer(503, "")));
    assert!(checkout.context().look_up == LookUp::Due);
    checkout.on(Edit::Token(code("trx")));
    assert_eq!(
        checkout.on(FormEvent::Submitted(key("first"))),
        [Effect::FindPayment]
    );
    assert_eq!(checkout.on(Event::FindFinished(lost())), []);
    assert_eq!(checkout.form().problem, Some(FormProblem::LookUpFailed));

    assert_eq!(
        checkout.on(FormEvent::Submitted(key("second"))),
        [Effect::FindPayment]
    );
    checkout.on(found_in_state("pending"));
    assert_eq!(name(&checkout.state), "pending");
}

#[test]
fn an_answer_counts_once() {
    let mut checkout = choosing();
    checkout.on(Event::FindFinished(no_payment()));
    checkout.ignores(found(&[]));
    let mut checkout = choosing();
    checkout.on(found(&[]));
    checkout.ignores(found_in_state("paid"));
}

#[test]
fn a_new_listing_repeats_a_failed_look_up() {
    let mut checkout = choosing();
    checkout.on(Event::FindFinished(lost()));
    let again = checkout.on(Event::Refreshed);
    assert_eq!(again, [Effect::FetchTokens, Effect::FindPayment]);
}

#[test]
fn an_order_that_is_refused_may_be_paid_or_has_a_contradictory_payment_offers_no_token() {
    let refused = |problem| Event::FindFinished(answer(409, format!(r#"{{"code":"{problem}"}}"#)));
    for (event, failure) in [
        (refused("order-expired"), FailureCode::OrderExpired),
        (
            refused("order-signature-invalid"),
            FailureCode::OrderRefused,
        ),
        (refused("payment-unidentified"), FailureCode::MayBePaid),
        (found(&[("quantity", "1")]), FailureCode::RecordMismatch),
    ] {
        let mut checkout = choosing();
        checkout.on(event);
        let Phase::Unavailable(shown) = &checkout.state.phase else {
            panic!("{failure:?}: {:?}", checkout.state);
        };
        assert_eq!(shown.code, failure);
        let again = checkout.on(Event::Retried);
        assert_eq!(again, [Effect::FetchTokens, Effect::FindPayment]);
    }
}

/// The address may exist on both networks, so neither is shown.
#[test]
fn a_payment_whose_token_is_listed_on_another_network_is_not_shown() {
    let other = [("network", r#"{"name":"Ethereum"}"#)];
    let tokens = || {
        ok(listing(&[
            token_record("usdtt", &[]),
            token_record("btc", &other),
        ]))
    };
    let (listing, payment) = (|| Event::TokensFetched(tokens()), || found(&[]));
    for events in [[listing(), payment()], [payment(), listing()]] {
        let mut checkout = started();
        for event in events {
            checkout.on(event);
        }
        let Phase::Unavailable(failure) = &checkout.state.phase else {
            panic!("{:?}", checkout.state);
        };
        assert_eq!(failure.code, FailureCode::RecordMismatch);
        assert!(failure.message.contains("Ethereum"), "{failure:?}");
    }
}

#[test]
fn a_marked_payment_can_be_neither_cancelled_nor_replaced() {
    let mut checkout = choosing();
    checkout.on(found(&[("state", r#""open""#), ("sent", "true")]));
    assert_eq!(checkout.payment().facts.progress(), PaymentProgress::Marked);
    assert!(!checkout.payment().asks_for_money());
    checkout.stays();
    // Nor does it ask for money again once a hash is entered and removed.
    checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
    checkout.ignores(PaymentEvent::HashRemoved);
}

/// The event of a payment that another element has created.
fn saved_elsewhere(state: &str) -> FormEvent {
    let mut other = Checkout::choosing(signed_with(&[]));
    other.on(Edit::Token(code("trx")));
    other.submit("first").unwrap();
    other.created(ok(payment_record(&[RECEIPT])));
    other.receive(with_state("Created", state));
    FormEvent::SavedElsewhere(other.saved().unwrap())
}

/// It is under way already.
#[test]
fn a_payment_of_another_element_is_looked_up_once() {
    let mut checkout = choosing();
    assert_eq!(checkout.on(saved_elsewhere("open")), [read_status()]);
}

/// It would show the payment again.
#[test]
fn the_answer_to_a_look_up_is_ignored_once_the_buyer_has_left_the_payment() {
    for (state, leave) in [
        ("open", Event::from(PaymentEvent::ChangeRequested)),
        ("closed", Event::Reset),
    ] {
        let mut checkout = choosing();
        checkout.on(saved_elsewhere(state));
        assert_eq!(name(&checkout.state), state);
        assert_eq!(checkout.on(leave), [Effect::FetchTokens]);
        checkout.ignores(found_in_state(state));
    }
}

/// Another page may have created and paid it.
#[test]
fn a_repeated_request_shows_the_payment_as_one_of_another_page() {
    use PaymentProgress::{Marked, Open, StatusChanged};

    for (fields, progress) in [
        (&[][..], Open),
        (&[("sent", "true")], Marked),
        (&[("statusText", r#""Confirming""#)], StatusChanged),
    ] {
        let mut checkout = choosing();
        checkout.on(Event::FindFinished(no_payment()));
        checkout.on(Edit::Token(code("btc")));
        checkout.submit("first").unwrap();
        let repeated = [("transactionId", r#""p-1""#), ("repeated", "true"), RECEIPT];
        let record = payment_record_in("btc", &[&repeated[..], fields].concat());
        checkout.created(ok(record));
        assert_eq!(checkout.payment().facts.progress(), progress);
        assert_eq!(checkout.payment().facts.access, Access::Found);
        // Not even by the next status, which is the same.
        assert_eq!(checkout.payment().asks_for_money(), progress == Open);
    }
}

/// The other device may also take its mark back, because its wallet has sent nothing.
#[test]
fn a_tab_that_has_saved_the_payment_learns_of_a_mark_on_another_device() {
    use PaymentProgress::{Marked, Open, StatusChanged};

    let open = || found(&[]);
    let marked = || found(&[("sent", "true")]);
    let moved = found(&[("statusText", r#""Confirming""#)]);
    for (before, answer, progress) in [
        (open(), open(), Open),
        (open(), marked(), Marked),
        (open(), Event::FindFinished(lost()), Open),
        (marked(), marked(), Marked),
        (marked(), Event::FindFinished(lost()), Marked),
        (marked(), open(), Open),
        (marked(), moved, StatusChanged),
    ] {
        let mut first = choosing();
        first.on(before);
        let (mut next, effects) = first.reload();
        assert!(effects.contains(&Effect::FindPayment), "{effects:?}");
        next.on(answer);
        assert_eq!(next.payment().facts.progress(), progress);
    }
}

/// What a tab has saved is not all that the order may have.
#[test]
fn a_look_up_counts_also_while_a_saved_payment_is_shown() {
    let reload = || {
        let mut first = choosing();
        first.on(found(&[]));
        let (next, effects) = first.reload();
        assert!(effects.contains(&Effect::FindPayment), "{effects:?}");
        next
    };
    // Another payment has taken its place.
    let other = || found(&[("transactionId", r#""p-2""#)]);
    let mut next = reload();
    assert_eq!(next.on(other()), [Effect::FetchTokens]);
    assert!(next.state.payment().is_none() && next.stream.is_none());
    next.on(Event::TokensFetched(ok(offered())));
    assert_eq!(next.payment().record.transaction_id, "p-2");
    // Only the answer to this look-up counts.
    next.ignores(other());

    let refused = || Event::FindFinished(answer(409, r#"{"code":"payment-contradictory"}"#));
    let mut next = reload();
    next.on(refused());
    assert!(
        matches!(next.state.phase, Phase::Unavailable(..)),
        "{:?}",
        next.state
    );

    // Money may be on its way for the one that is shown.
    for look_up in [other(), refused()] {
        let mut next = reload();
        next.on(PaymentEvent::HashEntered(HASH.to_owned()));
        next.on(look_up);
        assert_eq!(next.payment().record.transaction_id, "p-1");
    }
}

/// The tab knows more of its own payment than the look-up.
#[test]
fn a_mark_on_another_device_counts_also_for_a_payment_that_is_replaced() {
    for (is_sent, progress) in [
        ("true", PaymentProgress::Marked),
        ("false", PaymentProgress::Open),
    ] {
        let mut checkout = Checkout::choosing(signed_with(&[]));
        checkout.on(Edit::Token(code("btc")));
        checkout.submit("first").unwrap();
        checkout.created(ok(payment_record_in("btc", &[RECEIPT])));
        checkout.return_by(PaymentEvent::ChangeRequested);
        checkout.submit_for("trx");
        let refused = answer(409, r#"{"code":"payment-open"}"#);
        let effects = checkout.on(FormEvent::CreateFinished(key("second"), refused));
        assert_eq!(effects, [Effect::FindPayment]);
        checkout.on(found(&[("sent", is_sent)]));
        assert_eq!(checkout.payment().facts.progress(), progress);
        assert_eq!(checkout.payment().facts.access, Access::Owned);
    }
}

#[test]
fn a_renewed_order_lets_its_payment_be_cancelled_again() {
    let mut expired = choosing();
    expired.on(found(&[("readOnly", "true")]));
    let (mut renewed, effects) = expired.reload();
    assert_eq!(effects, [Effect::FetchTokens, Effect::FindPayment]);
    renewed.on(Event::TokensFetched(ok(offered())));
    renewed.on(found(&[("receipt", r#""r.e.newed""#)]));
    assert_eq!(renewed.payment().facts.access, Access::Found);
    assert_eq!(renewed.payment().receipt.as_deref(), Some("r.e.newed"));
    assert!(renewed.payment().may_cancel());
}

#[test]
fn after_exp_the_payment_can_only_be_read() {
    for state in STATES {
        let mut checkout = choosing();
        checkout.on(found(&[("state", &text(state)), ("readOnly", "true")]));
        assert_eq!(name(&checkout.state), state);
        checkout.ignores_all([
            PaymentEvent::CancelRequested,
            PaymentEvent::CancelConfirmed,
            PaymentEvent::ChangeRequested,
        ]);
        if state != "open" {
            checkout.ignores(Event::Reset);
        }
    }
}

#[test]
fn a_payment_at_an_earlier_price_is_replaced_only_after_the_question() {
    let outdated = |state: &str| {
        let mut checkout = choosing();
        checkout.on(found(&[
            ("quantity", "1"),
            ("state", &*text(state)),
            ("outdated", "true"),
        ]));
        checkout
    };
    let mut checkout = outdated("open");
    assert_eq!(name(&checkout.state), "choosing");
    checkout.ignores(FormEvent::Resumed);
    replace_after_the_question(&mut checkout);

    // What may be paid is shown, whatever it costs.
    for state in ["pending", "underpaid", "unknown", "paid"] {
        assert_eq!(name(&outdated(state).state), state);
    }
    assert!(outdated("closed").context().open_payment().is_none());
}

#[test]
fn a_payment_of_another_device_is_replaced_by_name_after_the_question() {
    let mut checkout = choosing();
    checkout.on(found_in_state("open"));
    assert_eq!(
        checkout.on(PaymentEvent::ChangeRequested),
        [Effect::FetchTokens]
    );
    checkout.on(Event::TokensFetched(ok(offered())));
    replace_after_the_question(&mut checkout);
    let record = payment_record_in("trx", &[RECEIPT, ("transactionId", r#""p-2""#)]);
    checkout.on(FormEvent::CreateFinished(key("second"), ok(record)));
    assert_eq!(checkout.payment().record.transaction_id, "p-2");
    assert_eq!(checkout.payment().facts.access, Access::Owned);
    assert!(matches!(checkout.last_event(), HostEvent::Created(_)));
    assert!(
        matches!(checkout.last_event(), HostEvent::Cancelled(old) if old.transaction_id == "p-1")
    );
}

/// Submits for TRX: at first, the form asks.
fn replace_after_the_question(checkout: &mut Checkout) {
    checkout.on(Edit::Token(code("trx")));
    assert_eq!(checkout.on(FormEvent::Submitted(key("first"))), []);
    assert_eq!(checkout.form().problem, Some(FormProblem::OpenPayment));
    assert_eq!(checkout.on(FormEvent::SentAnswered(false)), []);
    assert_eq!(checkout.form().problem, None);
    let [Effect::Create(attempt, Some(replaced))] =
        &checkout.on(FormEvent::Submitted(key("second")))[..]
    else {
        panic!("it is created: {:?}", checkout.state);
    };
    assert_eq!(attempt.key, key("second"));
    assert_eq!(*replaced, receipt());
}

#[test]
fn a_buyer_who_has_sent_money_goes_back_to_the_payment_which_is_marked() {
    let mut checkout = choosing();
    checkout.has_marks = true;
    checkout.on(found_in_state("open"));
    checkout.return_by(PaymentEvent::ChangeRequested);
    let effects = checkout.on(FormEvent::SentAnswered(true));
    assert_eq!(
        effects,
        [
            Effect::MarkSent(receipt(), MarkSecret("s-1".to_owned())),
            read_status()
        ]
    );
    assert_eq!(
        checkout.payment().facts.progress(),
        PaymentProgress::SaidSent
    );
    checkout.stays();
    let (next, _) = checkout.reload();
    assert_eq!(next.payment().facts.progress(), PaymentProgress::SaidSent);
}

/// A signed order whose create request is refused with this problem.
fn refused(problem: &str) -> Checkout {
    let mut checkout = Checkout::choosing(signed_with(&[]));
    checkout.on(Edit::Token(code("trx")));
    checkout.submit("first").unwrap();
    let body = format!(r#"{{"code":"{problem}"}}"#);
    let refused = FormEvent::CreateFinished(key("first"), answer(409, body));
    assert_eq!(checkout.on(refused), [Effect::FindPayment]);
    checkout
}

const CAUSES: [&str; 5] = [
    "payment-open",
    "payment-sent",
    "payment-progressed",
    "payment-unidentified",
    "earlier-payment-open",
];

#[test]
fn the_payment_because_of_which_a_request_was_refused_is_shown() {
    for cause in CAUSES {
        for state in STATES {
            let mut checkout = refused(cause);
            checkout.on(found_in_state(state));
            assert_eq!(name(&checkout.state), state, "{cause}");
        }
    }
}

/// The order already has a payment in Bitcoin.
#[test]
fn a_payment_in_another_token_than_the_buyer_chose_says_so() {
    for (chosen, is_other) in [("trx", true), ("btc", false)] {
        let mut pressed = choosing();
        pressed.on(Edit::Token(code(chosen)));
        pressed.on(FormEvent::Submitted(key("first")));
        let mut late = choosing();
        late.on(Event::FindFinished(no_payment()));
        late.on(Edit::Token(code(chosen)));
        late.submit("first").unwrap();
        late.on(FormEvent::CreateFinished(
            key("first"),
            answer(409, r#"{"code":"payment-open"}"#),
        ));
        for mut checkout in [pressed, late] {
            checkout.on(found(&[]));
            assert_eq!(
                checkout.payment().facts.is_other_token,
                is_other,
                "{chosen}"
            );
        }
    }
    // Nothing was chosen.
    let mut checkout = choosing();
    checkout.on(found(&[]));
    assert!(!checkout.payment().facts.is_other_token);
}

/// It is asked about once: a buyer who has answered is not asked again.
#[test]
fn a_payment_at_an_earlier_price_that_refuses_a_request_is_asked_about() {
    let outdated = || found(&[("quantity", "1"), ("outdated", "true")]);
    let mut checkout = refused("payment-open");
    assert_eq!(checkout.on(outdated()), []);
    assert_eq!(checkout.form().problem, Some(FormProblem::OpenPayment));
    replace_after_the_question(&mut checkout);
    let again = answer(409, r#"{"code":"payment-open"}"#);
    let effects = checkout.on(FormEvent::CreateFinished(key("second"), again));
    assert_eq!(effects, [Effect::FindPayment]);
    assert_eq!(checkout.on(outdated()), []);
    assert_eq!(checkout.failure().code, FailureCode::PaymentOpen);
}

#[test]
fn a_refusal_whose_cause_is_not_found_never_offers_a_choice_to_who_may_have_paid() {
    for cause in CAUSES {
        for result in [no_payment(), lost()] {
            let mut checkout = refused(cause);
            assert_eq!(checkout.on(Event::FindFinished(result)), []);
            let expected = match cause {
                "payment-open" | "earlier-payment-open" => "failed",
                _ => "unavailable",
            };
            assert_eq!(name(&checkout.state), expected, "{cause}");
            assert!(matches!(checkout.last_event(), HostEvent::Error(_)));
        }
    }
}
