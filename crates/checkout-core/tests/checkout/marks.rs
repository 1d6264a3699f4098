//! Marks that money may have been sent: when this page sets its own and removes it, and what those of other pages mean.

use tender_checkout_core::{
    Effect, Event, FetchResult, MarkSecret, PaymentEvent, PaymentProgress, Phase, Receipt,
    SentEvent, SentMark, Shortfall, StatusEvent, WalletFailure, WalletId, WalletPayment,
};

use crate::support::{Checkout, answer, lost, ok, payment_record_in, read_status, receipt};
use crate::wallets::{self, HASH, bnb};

const WALLET: WalletId = WalletId(3);
const SECRET: &str = "s-1";

fn secret() -> MarkSecret {
    MarkSecret(SECRET.to_owned())
}

fn store() -> Effect {
    Effect::MarkSent(receipt(), secret())
}

fn remove() -> Effect {
    Effect::UnmarkSent(receipt(), secret())
}

fn stored(result: FetchResult) -> SentEvent {
    SentEvent::MarkFinished("p-1".to_owned(), result)
}

fn removed(result: FetchResult) -> SentEvent {
    SentEvent::UnmarkFinished("p-1".to_owned(), secret(), result)
}

/// The response to the first mark of the payment.
fn first() -> FetchResult {
    ok(r#"{"first":true,"removable":true}"#)
}

/// The response to a mark beside that of another page.
fn second() -> FetchResult {
    ok(r#"{"first":false,"removable":true}"#)
}

fn problem(status: u16, code: &str) -> FetchResult {
    answer(status, format!(r#"{{"status":{status},"code":"{code}"}}"#))
}

/// The record of the payment with another status.
fn moved() -> FetchResult {
    let fields = [("statusText", r#""Seen""#), ("quantityPay", "0.5")];
    ok(payment_record_in("bnb", &fields))
}

/// The open record of the payment, and whether a mark stands.
fn open_record(is_sent: &str) -> String {
    let fields = [("quantityPay", "0.5"), ("sent", is_sent)];
    payment_record_in("bnb", &fields)
}

/// A poll says whether a mark stands.
fn hears(checkout: &mut Checkout, is_sent: &str) {
    checkout.poll(ok(open_record(is_sent)));
}

/// A checkout whose proxy has marks, showing a payment in BNB.
fn open() -> Checkout {
    Checkout {
        has_marks: true,
        ..bnb()
    }
}

/// The same, where the buyer has chosen a wallet.
fn marking() -> Checkout {
    let mut checkout = open();
    assert_eq!(checkout.on(PaymentEvent::WalletChosen(WALLET)), [store()]);
    checkout
}

/// The same, where the wallet was asked.
fn asked() -> Checkout {
    let mut checkout = marking();
    checkout.on(stored(first()));
    checkout
}

/// The same, where the buyer has declined, and the mark is being removed.
pub(crate) fn declined() -> Checkout {
    let mut checkout = asked();
    checkout.on(wallets::answer(1, Err(WalletFailure::Declined)));
    checkout
}

/// A checkout with a typed hash, whose mark is stored.
fn typed() -> Checkout {
    let mut checkout = open();
    let hash = PaymentEvent::HashEntered(HASH.to_owned());
    assert_eq!(checkout.on(hash), [store()]);
    assert_eq!(checkout.on(stored(first())), []);
    checkout
}

/// The response to the mark, and whether the wallet is asked then.
#[test]
fn a_wallet_is_asked_once_the_mark_is_stored_or_there_are_none() {
    let full = ok(r#"{"first":true,"removable":false}"#);
    let route_missing = [
        answer(404, ""),
        answer(405, ""),
        problem(404, "not-found"),
        problem(405, "method-not-allowed"),
    ];
    for result in [first(), full].into_iter().chain(route_missing) {
        let mut checkout = marking();
        let effects = checkout.on(stored(result.clone()));
        assert!(
            matches!(effects[..], [Effect::AskToSend(..)]),
            "{result:?}: {effects:?}"
        );
        let payment = checkout.payment();
        assert_eq!(payment.wallet.state, WalletPayment::Asked(WALLET));
    }
}

#[test]
fn without_the_mark_no_wallet_is_asked_and_the_payment_is_read_again() {
    // What was not refused may stand, so it is removed.
    let results = [
        (problem(409, "cancel-begun"), false),
        (problem(404, "payment-unknown"), false),
        (problem(503, "database-unavailable"), true),
        (ok("<html>"), true),
        (lost(), true),
    ];
    for (result, may_stand) in results {
        let mut checkout = marking();
        let effects = checkout.on(stored(result.clone()));
        assert!(
            matches!(effects[0], Effect::ReadStatus(_)),
            "{result:?}: {effects:?}"
        );
        let removal = may_stand.then(remove);
        assert_eq!(effects[1..], *removal.as_slice());
        let payment = checkout.payment();
        let failed = WalletPayment::Failed(WalletFailure::NotAsked);
        assert_eq!(payment.wallet.state, failed);
        assert!(!payment.may_be_paid());
        assert_eq!(payment.may_cancel(), !may_stand);
        if may_stand {
            checkout.on(removed(gone()));
        }
        assert!(checkout.payment().may_cancel());
        assert_eq!(checkout.on(PaymentEvent::WalletChosen(WALLET)), [store()]);
    }
}

/// Two tabs that press at the same time: the one that was not first asks no wallet.
#[test]
fn no_wallet_is_asked_if_another_page_has_marked_the_payment_first() {
    let mut checkout = marking();
    assert_eq!(checkout.on(stored(second())), [remove()]);
    let payment = checkout.payment();
    assert_eq!(payment.wallet.state, WalletPayment::Idle);
    assert_eq!(payment.facts.progress(), PaymentProgress::Marked);
    assert!(!payment.asks_for_money());
    assert_eq!(checkout.on(removed(gone())), [read_status()]);
    // The other page has taken its mark back.
    checkout.fetch(ok(open_record("false")));
    assert!(checkout.payment().asks_for_money());
    assert_eq!(checkout.on(PaymentEvent::WalletChosen(WALLET)), [store()]);
}

/// Both the stream and the polls tell an open page of a mark.
#[test]
fn a_page_stops_asking_while_another_page_s_mark_stands() {
    let heard: [fn(&mut Checkout, &str); 2] = [
        |checkout, is_sent| {
            // It opens the stream.
            checkout.on(StatusEvent::PollDue);
            checkout.receive(open_record(is_sent));
        },
        hears,
    ];
    for hears in heard {
        let mut checkout = open();
        hears(&mut checkout, "true");
        assert_eq!(checkout.payment().facts.progress(), PaymentProgress::Marked);
        assert!(!checkout.payment().asks_for_money());
        checkout.ignores(PaymentEvent::WalletChosen(WALLET));
        checkout.ignores(PaymentEvent::CancelRequested);
        hears(&mut checkout, "false");
        assert!(checkout.payment().asks_for_money() && checkout.payment().may_cancel());
        // This page's own mark is the one that the records name.
        let mut asked = asked();
        hears(&mut asked, "true");
        assert!(asked.payment().wallet.is_asked() && asked.payment().asks_for_money());
    }
}

#[test]
fn a_wallet_that_waits_for_a_mark_is_not_asked_once_another_page_has_marked_the_payment() {
    let mut checkout = asked();
    checkout.on(wallets::answer(1, Err(WalletFailure::Declined)));
    checkout.on(removed(gone()));
    checkout.on(PaymentEvent::WalletChosen(WALLET));
    // The mark of this page is not known to be set.
    hears(&mut checkout, "true");
    assert_eq!(checkout.on(stored(second())), [remove()]);
    assert_eq!(checkout.payment().facts.progress(), PaymentProgress::Marked);
}

/// The page asks again, and what others have marked is neither cancelled nor replaced.
#[test]
fn a_buyer_can_say_that_nothing_was_sent() {
    let mut checkout = open();
    hears(&mut checkout, "true");
    assert!(checkout.payment().may_say_unsent());
    assert_eq!(checkout.on(PaymentEvent::NothingSent), []);
    for _ in 0..2 {
        let payment = checkout.payment();
        assert!(payment.asks_for_money() && payment.is_held_by_mark());
        assert!(!payment.may_cancel() && !payment.may_change() && !payment.may_say_unsent());
        // The mark stands, which the buyer knows.
        hears(&mut checkout, "true");
        checkout = checkout.reload().0;
    }
    checkout.on(PaymentEvent::WalletChosen(WALLET));
    let effects = checkout.on(stored(second()));
    assert!(matches!(effects[..], [Effect::AskToSend(..)]));
    checkout.on(wallets::answer(1, Err(WalletFailure::Declined)));
    checkout.on(removed(gone()));
    hears(&mut checkout, "false");
    assert!(checkout.payment().may_cancel());
    // From now on, it is another mark.
    hears(&mut checkout, "true");
    assert!(!checkout.payment().asks_for_money());
}

/// Its meaning is not known: another page may have paid.
#[test]
fn nobody_can_say_that_nothing_was_sent_once_the_status_has_changed() {
    let mut marked = open();
    hears(&mut marked, "true");
    let mut said_sent = open();
    if let Phase::Awaiting(payment) = &mut said_sent.state.phase {
        payment.facts.said_sent = true;
    }
    for mut checkout in [marked, said_sent] {
        checkout.poll(moved());
        checkout.ignores(PaymentEvent::NothingSent);
        assert!(!checkout.payment().may_say_unsent() && !checkout.payment().asks_for_money());
        assert!(!checkout.reload().0.payment().may_say_unsent());
    }
}

#[test]
fn a_buyer_can_say_that_the_wallet_has_sent_nothing() {
    for abandons in [false, true] {
        let mut checkout = asked();
        checkout.ignores(PaymentEvent::NothingSent);
        if abandons {
            checkout.on(PaymentEvent::WalletAbandoned);
        } else {
            checkout.on(wallets::answer(1, Err(WalletFailure::Unclear)));
        }
        assert_eq!(checkout.on(PaymentEvent::NothingSent), [remove()]);
        assert_eq!(checkout.on(removed(gone())), [read_status()]);
        let payment = checkout.payment();
        assert!(payment.may_cancel() && !payment.may_be_paid());
        // It has, after all.
        checkout.on(wallets::answer(1, Ok(HASH)));
        assert!(checkout.payment().transaction().is_some());
    }
}

/// A wallet sends after the buyer has said that it did not, and has gone back to the form.
#[test]
fn what_was_sent_is_marked_also_while_the_buyer_is_back_at_the_form() {
    let mut checkout = asked();
    checkout.on(PaymentEvent::WalletAbandoned);
    checkout.on(PaymentEvent::NothingSent);
    checkout.on(removed(gone()));
    checkout.on(Event::Reset);
    assert_eq!(checkout.on(wallets::answer(1, Ok(HASH))), [store()]);
    let mut declined = asked();
    declined.on(PaymentEvent::WalletAbandoned);
    declined.on(Event::Reset);
    let answer = wallets::answer(1, Err(WalletFailure::Declined));
    assert_eq!(declined.on(answer), [remove()]);
}

#[test]
fn without_a_receipt_a_wallet_is_asked_at_once() {
    let mut checkout = open();
    if let Phase::Awaiting(awaiting) = &mut checkout.state.phase {
        awaiting.receipt = None;
    }
    let effects = checkout.on(PaymentEvent::WalletChosen(WALLET));
    assert!(matches!(effects[..], [Effect::AskToSend(..)]));
}

#[test]
fn a_wallet_that_waits_for_its_mark_is_not_asked_once_the_status_has_changed() {
    let mut checkout = marking();
    checkout.poll(moved());
    assert_eq!(checkout.payment().wallet.state, WalletPayment::Idle);
    assert_eq!(checkout.on(stored(first())), [remove()]);
}

#[test]
fn a_buyer_who_stops_waiting_for_the_mark_has_sent_nothing() {
    let mut checkout = marking();
    assert_eq!(checkout.on(PaymentEvent::WalletAbandoned), []);
    assert_eq!(checkout.payment().wallet.state, WalletPayment::Idle);
    assert_eq!(checkout.on(stored(first())), [remove()]);
}

/// What the wallet answers, and whether it proves that nothing was sent.
#[test]
fn the_mark_is_taken_back_when_nothing_was_sent() {
    let answers = [
        (Err(WalletFailure::Declined), true),
        (Err(WalletFailure::Busy), true),
        (Err(WalletFailure::NoAccount), true),
        (Err(WalletFailure::WrongNetwork), true),
        (Err(WalletFailure::NotSent), true),
        (Err(WalletFailure::Short(Shortfall::Amount)), true),
        (Err(WalletFailure::Unclear), false),
        (Ok(HASH), false),
        (Ok("no hash"), false),
    ];
    for (answer, proves) in answers {
        let mut checkout = asked();
        let effects = checkout.on(wallets::answer(1, answer));
        assert_eq!(effects.contains(&remove()), proves, "{answer:?}");
        assert!(!checkout.payment().may_cancel(), "{answer:?}");
        checkout.ignores(PaymentEvent::CancelRequested);
        checkout.ignores(PaymentEvent::ChangeRequested);
        if proves {
            assert_eq!(checkout.on(removed(gone())), [read_status()]);
            let payment = checkout.payment();
            assert!(payment.may_cancel() && payment.may_change(), "{answer:?}");
        }
    }
}

fn gone() -> FetchResult {
    answer(204, "")
}

#[test]
fn the_mark_is_taken_back_when_the_transaction_failed() {
    let mut checkout = asked();
    checkout.on(wallets::answer(1, Ok(HASH)));
    let failed = SentEvent::ReceiptRead("p-1".to_owned(), HASH.to_owned(), Receipt::Failed);
    assert_eq!(checkout.on(failed), [remove()]);
}

#[test]
fn an_unclear_request_keeps_its_mark_and_no_wallet_is_asked() {
    let mut checkout = asked();
    checkout.on(wallets::answer(1, Err(WalletFailure::Unclear)));
    assert!(checkout.payment().is_held_by_mark());
    checkout.ignores(PaymentEvent::WalletChosen(WALLET));
    assert!(checkout.payment().may_say_unsent());
}

/// A removal that may or may not have happened: the wallet needs a new mark.
#[test]
fn a_wallet_waits_for_a_removal_that_is_under_way() {
    for (result, follows) in [(gone(), vec![read_status(), store()]), (lost(), Vec::new())] {
        let mut checkout = asked();
        checkout.on(wallets::answer(1, Err(WalletFailure::Declined)));
        assert_eq!(checkout.on(PaymentEvent::WalletChosen(WALLET)), []);
        let is_lost = result.is_err();
        assert_eq!(checkout.on(removed(result)), follows);
        let failed = WalletPayment::Failed(WalletFailure::NotAsked);
        assert_eq!(checkout.payment().wallet.state == failed, is_lost);
    }
}

#[test]
fn a_removal_that_failed_is_repeated_with_the_next_poll() {
    for next in [
        Event::Refreshed,
        StatusEvent::PollDue.into(),
        StatusEvent::PageSeen.into(),
    ] {
        let mut checkout = declined();
        assert_eq!(checkout.on(removed(answer(503, ""))), []);
        assert!(!checkout.payment().may_cancel());
        assert!(checkout.on(next).contains(&remove()));
        assert_eq!(checkout.on(removed(problem(404, "payment-unknown"))), []);
        assert_eq!(checkout.payment().facts.mark, SentMark::None);
    }
}

/// Nothing is under way that the new mark could wait for.
#[test]
fn a_removal_that_failed_is_repeated_before_the_next_mark() {
    let press: fn(&mut Checkout) -> Vec<Effect> =
        |checkout| checkout.on(PaymentEvent::WalletChosen(WALLET));
    let enter: fn(&mut Checkout) -> Vec<Effect> = |checkout| {
        checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
        let due = checkout.on(StatusEvent::PollDue);
        due.into_iter().filter(|it| *it == remove()).collect()
    };
    for needs in [press, enter] {
        let mut checkout = declined();
        checkout.on(removed(lost()));
        assert_eq!(needs(&mut checkout), [remove()]);
        assert!(checkout.on(removed(gone())).contains(&store()));
        checkout.on(stored(first()));
        assert_eq!(checkout.payment().facts.mark, SentMark::Set(secret()));
    }
}

#[test]
fn a_typed_hash_has_a_mark_which_is_requested_until_it_is_stored() {
    let mut checkout = open();
    let entered = PaymentEvent::HashEntered(HASH.to_owned());
    assert_eq!(checkout.on(entered), [store()]);
    let read = checkout.on(stored(lost()));
    assert!(matches!(read[..], [Effect::ReadStatus(_)]), "{read:?}");
    checkout.fetch(lost());
    assert!(checkout.on(StatusEvent::PollDue).contains(&store()));
    checkout.on(stored(answer(404, "")));
    checkout.fetch(lost());
    assert!(!checkout.on(StatusEvent::PollDue).contains(&store()));
}

/// Without a wait, page and proxy would go round in a circle.
#[test]
fn a_refused_mark_of_a_typed_hash_is_requested_again_with_the_next_poll() {
    for refusal in [
        problem(409, "cancel-begun"),
        problem(401, "receipt-invalid"),
        answer(429, ""),
        answer(413, "<html>"),
    ] {
        let mut checkout = open();
        checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
        let effects = checkout.on(stored(refusal.clone()));
        assert!(
            matches!(effects[..], [Effect::ReadStatus(_)]),
            "{refusal:?}: {effects:?}"
        );
        checkout.fetch(lost());
        assert!(checkout.on(StatusEvent::PollDue).contains(&store()));
        checkout.on(stored(refusal));
        // What nothing needs is removed, although it may not stand.
        assert_eq!(checkout.on(PaymentEvent::HashRemoved), [remove()]);
        checkout.on(removed(answer(404, "")));
        assert!(checkout.payment().may_cancel());
    }
}

#[test]
fn a_typed_hash_can_be_changed_and_removed() {
    let mut checkout = typed();
    let other = HASH.replace('e', "f");
    assert_eq!(checkout.on(PaymentEvent::HashEntered(other.clone())), []);
    assert_eq!(checkout.payment().transaction().unwrap().as_str(), other);
    assert_eq!(checkout.on(PaymentEvent::HashRemoved), [remove()]);
    assert!(checkout.payment().asks_for_money());
    checkout.on(removed(gone()));
    assert!(checkout.payment().may_cancel() && checkout.payment().may_change());
}

#[test]
fn a_hash_stays_once_the_status_has_changed_or_if_a_wallet_returned_it() {
    let mut moved = typed();
    moved.poll(self::moved());
    let mut returned = asked();
    returned.on(wallets::answer(1, Ok(HASH)));
    for mut checkout in [moved, returned] {
        checkout.ignores(PaymentEvent::HashRemoved);
        checkout.ignores(PaymentEvent::HashEntered(HASH.replace('e', "f")));
    }
}

#[test]
fn a_wallet_s_hash_replaces_a_typed_one() {
    let mut checkout = asked();
    checkout.on(PaymentEvent::WalletAbandoned);
    checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
    let count = checkout.host_events.len();
    checkout.on(wallets::answer(1, Ok(HASH)));
    assert_eq!(checkout.host_events.len(), count, "it is known");
    checkout.ignores(PaymentEvent::HashRemoved);
}

/// A removed hash does not say what became of a wallet's request.
#[test]
fn the_mark_of_an_unclear_wallet_stays_when_a_hash_is_removed() {
    let mut checkout = asked();
    checkout.on(PaymentEvent::WalletAbandoned);
    checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
    assert_eq!(checkout.on(PaymentEvent::HashRemoved), []);
    assert!(checkout.payment().is_held_by_mark());
}

#[test]
fn the_secret_survives_a_reload() {
    // It was saved before the request was sent. What is still needed is requested again, which changes nothing.
    let mut typing = open();
    typing.on(PaymentEvent::HashEntered(HASH.to_owned()));
    for before in [typing, typed()] {
        let (mut next, effects) = before.reload();
        assert!(effects.contains(&store()), "{effects:?}");
        next.on(stored(first()));
        assert_eq!(next.payment().facts.mark, SentMark::Set(secret()));
        assert_eq!(next.on(PaymentEvent::HashRemoved), [remove()]);
    }
    // What nothing needs any more is removed, whether or not the request has arrived.
    for before in [marking(), declined()] {
        let (mut next, effects) = before.reload();
        assert!(effects.contains(&remove()), "{effects:?}");
        assert!(!next.payment().may_cancel());
        next.on(removed(gone()));
        assert!(next.payment().may_cancel());
    }
    let mut returned = asked();
    returned.on(wallets::answer(1, Ok(HASH)));
    returned.reload().0.ignores(PaymentEvent::HashRemoved);
}

#[test]
fn a_mark_of_another_payment_is_ignored() {
    let mut checkout = marking();
    checkout.ignores(SentEvent::MarkFinished("p-2".to_owned(), first()));
    let mut checkout = asked();
    checkout.ignores(stored(first()));
    checkout.ignores(removed(gone()));
    checkout.ignores(SentEvent::SecretChosen("p-1".to_owned(), secret()));
}

/// As the proxy computes it.
#[test]
fn a_mark_is_named_by_the_digest_of_its_secret() {
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(MarkSecret("abc".to_owned()).digest(), expected);
}

/// A wallet is asked, and the proxy then says that the payment has ended, or that the order is paid.
fn ended(fields: &[(&str, &str)]) -> Checkout {
    let mut checkout = asked();
    let fields = [&[("quantityPay", "0.5")], fields].concat();
    checkout.poll(ok(payment_record_in("bnb", &fields)));
    assert!(matches!(checkout.state.phase, Phase::NotPayable(..)));
    checkout
}

/// Otherwise the order would be free only once the merchant has released it.
#[test]
fn the_mark_is_taken_back_also_when_nothing_is_to_be_paid_any_more() {
    for fields in [
        ("state", r#""closed""#),
        ("state", r#""unknown""#),
        ("orderSeen", "true"),
        ("orderPaid", "true"),
    ] {
        let mut checkout = ended(&[fields]);
        let effects = checkout.on(wallets::answer(1, Err(WalletFailure::Declined)));
        assert_eq!(effects, [remove()], "{fields:?}");
        // The response is lost.
        assert_eq!(checkout.on(removed(lost())), []);
        assert!(checkout.on(StatusEvent::PollDue).contains(&remove()));
        checkout.on(removed(gone()));
        let mark = checkout.state.payment().map(|payment| &payment.facts.mark);
        assert_eq!(mark, Some(&SentMark::None));
    }
    // It is being set while the payment closes.
    let mut checkout = marking();
    let fields = [("quantityPay", "0.5"), ("state", r#""closed""#)];
    checkout.poll(ok(payment_record_in("bnb", &fields)));
    assert_eq!(checkout.on(stored(first())), [remove()]);
}
