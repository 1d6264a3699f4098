//! A wallet that never answers, and a buyer who stops waiting for it.

use tender_checkout_core::{
    Cancelling, Effect, Event, HostEvent, PaymentEvent, Phase, Reason, WalletFailure, WalletId,
    WalletPayment, WalletRequest,
};

use crate::support::{Checkout, offered, ok};
use crate::wallets::{HASH, answer, bnb, with_wallet_request};

/// A checkout whose wallet does not answer, and whose buyer has stopped waiting.
pub(crate) fn abandoned() -> Checkout {
    let mut checkout = with_wallet_request();
    assert_eq!(checkout.on(PaymentEvent::WalletAbandoned), []);
    assert!(matches!(
        checkout.payment().wallet.state,
        WalletPayment::Abandoned(_)
    ));
    checkout
}

/// The same, and the buyer says that nothing was sent.
pub(crate) fn unsent() -> Checkout {
    let mut checkout = abandoned();
    checkout.on(PaymentEvent::NothingSent);
    checkout
}

/// The request to this wallet, if there is one.
fn ask(checkout: &mut Checkout, wallet: usize) -> Option<WalletRequest> {
    match checkout.on(PaymentEvent::WalletChosen(WalletId(wallet)))[..] {
        [] => None,
        [Effect::AskToSend(ref payment, _)] => Some(payment.request),
        ref others => panic!("nothing else follows: {others:?}"),
    }
}

#[test]
fn only_a_request_that_waits_can_be_abandoned() {
    bnb().ignores(PaymentEvent::WalletAbandoned);
    abandoned().ignores(PaymentEvent::WalletAbandoned);
    let mut checkout = with_wallet_request();
    checkout.on(answer(1, Err(WalletFailure::Declined)));
    checkout.ignores(PaymentEvent::WalletAbandoned);
}

#[test]
fn the_buyer_can_cancel_and_go_back_and_say_that_nothing_was_sent() {
    let mut checkout = abandoned();
    checkout.on(PaymentEvent::CancelRequested);
    assert_eq!(checkout.payment().cancelling, Cancelling::Confirming);
    assert_eq!(checkout.on(PaymentEvent::CancelConfirmed).len(), 1);
    checkout.cancel_finished(ok("[]"));
    assert!(matches!(
        checkout.state.phase,
        Phase::NotPayable(Reason::Cancelled, _)
    ));

    assert_eq!(abandoned().on(Event::Reset), [Effect::FetchTokens]);
    for wallet in [0, 1] {
        let mut checkout = abandoned();
        assert_eq!(ask(&mut checkout, wallet), None, "it may still send");
        assert_eq!(checkout.on(PaymentEvent::NothingSent), []);
        assert_eq!(ask(&mut checkout, wallet), Some(WalletRequest(2)));
    }
}

#[test]
fn a_late_hash_is_the_transaction() {
    let mut checkout = abandoned();
    assert_eq!(checkout.on(answer(1, Ok(HASH))), []);
    assert_eq!(checkout.payment().transaction().unwrap().as_str(), HASH);
    assert!(matches!(checkout.last_event(), HostEvent::Transaction { hash, .. } if hash == HASH));

    // Also while another wallet has an open request.
    let mut checkout = unsent();
    ask(&mut checkout, 1);
    checkout.on(answer(1, Ok(HASH)));
    assert_eq!(checkout.payment().transaction().unwrap().as_str(), HASH);
    assert_eq!(
        checkout.payment().wallet.state,
        WalletPayment::Asked(WalletId(1))
    );
}

/// `reset()` fetches the tokens again, which may take long, or fail.
#[test]
fn a_late_hash_counts_while_the_buyer_is_back_at_the_form() {
    let hash = || answer(1, Ok(HASH));
    let tokens = || Event::TokensFetched(ok(offered()));
    let failed = || Event::TokensFetched(ok("[]"));
    for events in [
        vec![tokens(), hash().into()],
        vec![hash().into(), tokens()],
        vec![failed(), hash().into(), Event::Retried, tokens()],
    ] {
        let mut checkout = abandoned();
        checkout.on(Event::Reset);
        let count = checkout.host_events.len();
        for event in events {
            checkout.on(event);
        }
        let is_hash = |event: &HostEvent| matches!(event, HostEvent::Transaction { .. });
        assert!(checkout.host_events[count..].iter().any(is_hash));
        let open = checkout.context().open_payment().unwrap();
        assert_eq!(open.transaction().unwrap().as_str(), HASH);
    }
}

#[test]
fn a_late_refusal_says_that_nothing_was_sent() {
    let mut checkout = abandoned();
    checkout.on(answer(1, Err(WalletFailure::Declined)));
    assert_eq!(checkout.payment().wallet.state, WalletPayment::Idle);
    assert!(!checkout.payment().may_be_paid());
}

/// Each answer belongs to its own request.
#[test]
fn the_answer_of_one_wallet_says_nothing_about_another() {
    let mut checkout = unsent();
    ask(&mut checkout, 1);
    checkout.ignores(answer(1, Err(WalletFailure::Declined)));
    assert!(checkout.payment().wallet.is_asked());
    checkout.on(answer(2, Err(WalletFailure::Declined)));
    assert_eq!(checkout.payment().wallet.state, WalletPayment::Idle);
    checkout.ignores(answer(3, Ok(HASH)));
}
