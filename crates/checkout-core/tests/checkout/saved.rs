//! A reload continues with the same payment, and nothing personal is saved.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;
use tender_checkout_core::{
    Config, Edit, Effect, Event, FormEvent, MarkSecret, PaymentEvent, PaymentProgress, Phase,
    Stream, WalletFailure, WalletId, WalletPayment,
};
use tender_protocol::Payment;

use crate::support::{
    Checkout, answer, code, config, key, lost, offered, ok, payment_record, read_status, signed,
};

/// A checkout at the token choice after a reload.
fn choosing_again(checkout: &Checkout, config: Config) -> Checkout {
    let mut next = Checkout::new(config);
    next.start(checkout.saved());
    next.on(Event::TokensFetched(ok(offered())));
    next.form();
    next
}

#[test]
fn a_saved_payment_is_shown_and_polled_at_once() {
    let before = Checkout::awaiting();
    let (next, effects) = before.reload();
    assert_eq!(effects, [read_status()]);
    assert_eq!(next.stream, before.stream, "its stream is opened again");
    let (now, then) = (next.payment(), before.payment());
    assert_eq!(now.record, then.record);
    assert_eq!(now.send, then.send);
    assert_eq!(now.choice, then.choice);
    assert_eq!(now.request, then.request);
    assert_eq!(next.state.context.form, before.state.context.form);
    assert_eq!(now.facts.progress(), PaymentProgress::Open);
    assert_eq!(now.following.stream, Stream::Opening);
    assert!(
        next.host_events.is_empty(),
        "the event was dispatched when the payment was created"
    );
}

/// The page is reloaded during a wallet request.
#[test]
fn a_wallet_that_was_asked_before_a_reload_may_have_paid() {
    let wallet = r#""THr4fK3aoPRZHc5ZxKY1GSb2Jf6UtpeLmp""#;
    let mut before = Checkout::submitting();
    let record = payment_record(&[("wallet", wallet)]);
    before.created(ok(record));
    assert_eq!(before.on(PaymentEvent::WalletChosen(WalletId(0))).len(), 1);
    let mut next = before.reload().0;
    assert_eq!(
        next.payment().wallet.state,
        WalletPayment::Failed(WalletFailure::Unclear)
    );
    next.ignores(PaymentEvent::ChangeRequested);
}

/// What tabs have saved before the facts of a payment were a part of it.
fn saved_before() -> BTreeMap<String, Box<RawValue>> {
    serde_json::from_str(include_str!("saved-before.json")).unwrap()
}

fn started(saved: &RawValue) -> Checkout {
    let mut checkout = Checkout::new(config(&[]));
    checkout.has_marks = true;
    checkout.on(Event::Started(Some(saved.get().to_owned())));
    checkout
}

/// The page is loaded again with a newer version of the checkout.
#[test]
fn what_an_earlier_version_has_saved_is_continued() {
    let unclear = WalletPayment::Failed(WalletFailure::Unclear);
    for (name, saved) in saved_before() {
        let mut next = started(&saved);
        if name == "attempt" {
            next.on(Event::TokensFetched(ok(offered())));
            assert_eq!(next.submit("second").unwrap().key, key("first"));
            continue;
        }
        let payment = next.payment();
        let (progress, may_edit) = match &*name {
            "typed" => (PaymentProgress::Sent, true),
            "sent" => (PaymentProgress::Sent, false),
            "marked" => (PaymentProgress::Marked, true),
            "unclear" | "ignored" => (PaymentProgress::Open, true),
            other => panic!("{other}"),
        };
        assert_eq!(payment.facts.progress(), progress, "{name}");
        assert_eq!(payment.facts.may_edit_hash(), may_edit, "{name}");
        assert_eq!(payment.facts.ignores_marks, name == "ignored", "{name}");
        assert_eq!(payment.wallet.state == unclear, name == "unclear", "{name}");
        let secret = MarkSecret("s-9".to_owned());
        let is_kept = payment.facts.mark.secret() == Some(&secret);
        assert_eq!(is_kept, name == "unclear", "{name}");
    }
}

/// A shop may go back to an earlier version: what that reads is written as before.
#[test]
fn an_earlier_version_continues_what_this_one_saves() {
    for (name, before) in saved_before() {
        let mut checkout = started(&before);
        if name == "attempt" {
            checkout.on(Event::TokensFetched(ok(offered())));
            checkout.submit("second").unwrap();
        }
        let now: Value = serde_json::from_str(&checkout.saved().unwrap()).unwrap();
        let mut before: Value = serde_json::from_str(before.get()).unwrap();
        if before["transaction"].is_null() {
            // It has no meaning.
            before["mayEditHash"] = now["mayEditHash"].clone();
        }
        for (field, value) in before.as_object().unwrap() {
            assert_eq!(now[field], *value, "{name}: {field}");
        }
    }
}

#[test]
fn the_attempt_continues_with_its_key() {
    let submitting = Checkout::submitting();
    let mut failed = Checkout::submitting();
    failed.created(lost());
    for before in [submitting, failed] {
        let mut next = choosing_again(&before, before.config.clone());
        assert_eq!(next.context().form.payment_token, Some(code("trx")));
        assert_eq!(next.submit("second").unwrap().key, key("first"));
    }
}

/// It may have been cancelled in another tab, so its key is no longer valid.
#[test]
fn an_attempt_that_has_ended_is_forgotten() {
    let ended = || answer(410, r#"{"code":"attempt-ended","detail":"It has ended."}"#);
    let mut failed = Checkout::submitting();
    failed.created(ended());
    assert_eq!(failed.saved(), None);
    for back in [Event::from(FormEvent::FailureDismissed), Event::Reset] {
        let mut checkout = Checkout::submitting();
        checkout.created(ended());
        checkout.on(back);
        checkout.on(Event::TokensFetched(ok(offered())));
        assert_eq!(checkout.submit("second").unwrap().key, key("second"));
    }
}

#[test]
fn an_order_that_was_signed_again_is_the_same_order() {
    let signed = |exp| {
        let claims = format!(
            r#"{{"token":"usdtt","quantity":"25.50","invoiceNumber":"INV-1042","exp":{exp}}}"#
        );
        signed(&claims, &[]).unwrap()
    };
    let mut before = Checkout::choosing(signed(1));
    before.on(Edit::Token(code("trx")));
    before.submit("first").unwrap();
    let mut next = choosing_again(&before, signed(2));
    assert_eq!(next.submit("second").unwrap().key, key("first"));

    before.created(ok(payment_record(&[])));
    assert_eq!(
        before
            .reload_as(signed(2))
            .0
            .payment()
            .record
            .transaction_id,
        "p-1"
    );
}

/// The shop's new price counts.
#[test]
fn a_payment_at_another_price_is_cancelled_before_there_is_a_new_one() {
    for change in [("quantity", "30"), ("token", "btc"), ("item-number", "3")] {
        let before = Checkout::awaiting();
        let mut next = choosing_again(&before, config(&[change]));
        next.ignores(FormEvent::Resumed);
        assert!(next.context().open_payment().is_some());
        next.on(Edit::Token(code("trx")));
        let [Effect::Cancel { transaction_id, .. }] =
            &next.on(FormEvent::Submitted(key("second")))[..]
        else {
            panic!("{change:?}: the payment before is cancelled first");
        };
        assert_eq!(transaction_id, "p-1");
        next.cancel_finished(lost());
        next.on(FormEvent::FailureDismissed);
        next.ignores(FormEvent::Resumed);
    }
}

#[test]
fn an_attempt_at_another_price_is_forgotten() {
    let before = Checkout::submitting();
    let mut next = choosing_again(&before, config(&[("quantity", "30")]));
    assert_eq!(next.context().prior, None);
    next.on(Edit::Token(code("trx")));
    assert_eq!(next.submit("second").unwrap().key, key("second"));
}

#[test]
fn an_amount_that_the_payer_chose_is_saved() {
    let donation = || config(&[("item-number", "0"), ("payment-token", "trx")]);
    let mut before = Checkout::choosing(donation());
    before.on(Edit::Amount("3.10".to_owned()));
    before.submit("first").unwrap();
    let mut next = choosing_again(&before, donation());
    assert_eq!(next.context().form.amount, "3.10");
    assert_eq!(next.submit("second").unwrap().key, key("first"));
}

#[test]
fn nothing_personal_is_saved() {
    let asking = || config(&[("ask", "email name"), ("payment-token", "trx")]);
    let mut checkout = Checkout::choosing(asking());
    checkout.on(Edit::Email("buyer@example.com".to_owned()));
    checkout.on(Edit::Name("A Buyer".to_owned()));
    checkout.submit("first").unwrap();
    // Its key belongs to a request with the e-mail address.
    assert_eq!(checkout.saved(), None);

    let record = payment_record(&[
        ("purchaseEmail", r#""buyer@example.com""#),
        ("purchaseName", r#""A Buyer""#),
    ]);
    checkout.created(ok(record));
    let json = checkout.saved().unwrap();
    assert!(!json.contains("buyer") && !json.contains("Buyer"), "{json}");
    let next = checkout.reload().0;
    let expected = Payment {
        purchase_email: None,
        purchase_name: None,
        ..checkout.payment().record.clone()
    };
    assert_eq!(next.payment().record, expected);

    // What the shop knows is not saved either.
    let known = [
        ("purchase-email", "buyer@example.com"),
        ("payment-token", "trx"),
    ];
    let mut checkout = Checkout::choosing(config(&known));
    checkout.submit("first").unwrap();
    let json = checkout.saved().unwrap();
    assert!(!json.contains("buyer"), "{json}");
    let mut next = choosing_again(&checkout, config(&known));
    assert_eq!(next.submit("second").unwrap().key, key("first"));
}

#[test]
fn an_open_payment_is_saved_and_a_cancelled_one_is_not() {
    let mut checkout = Checkout::awaiting();
    checkout.on(PaymentEvent::ChangeRequested);
    for event in [
        Event::TokensFetched(lost()),
        Event::Retried,
        Event::TokensFetched(ok(offered())),
        Edit::Token(code("btc")).into(),
        FormEvent::Submitted(key("second")).into(),
        PaymentEvent::CancelFinished("p-1".to_owned(), lost()).into(),
    ] {
        checkout.on(event);
        assert_eq!(checkout.reload().0.payment().record.transaction_id, "p-1");
    }
    checkout.on(Event::Retried);
    checkout.cancel_finished(ok("[]"));
    assert!(matches!(
        checkout.reload().0.state.phase,
        Phase::Loading(..)
    ));

    let mut checkout = Checkout::awaiting();
    checkout.cancel();
    checkout.cancel_finished(ok("[]"));
    assert_eq!(checkout.saved(), None);
    assert_eq!(Checkout::choosing(config(&[])).saved(), None);
}

/// If the saved text has been changed, the checkout starts without it.
#[test]
fn what_was_saved_is_ignored_if_it_is_unreadable() {
    let whole = Checkout::awaiting().saved().unwrap();
    let mut broken = vec![
        String::new(),
        "{}".to_owned(),
        "null".to_owned(),
        whole[..whole.len() / 2].to_owned(),
    ];
    let object: Value = serde_json::from_str(&whole).unwrap();
    for field in ["request", "token", "payment"] {
        let mut object = object.clone();
        object[field] = Value::from(7);
        broken.push(object.to_string());
        object.as_object_mut().unwrap().remove(field);
        broken.push(object.to_string());
    }
    for saved in broken {
        let mut checkout = Checkout::new(config(&[]));
        let effects = checkout.on(Event::Started(Some(saved.clone())));
        assert_eq!(effects, [Effect::FetchTokens], "{saved}");
    }
}
