//! What the proxy says to be paid or closed: the page asks for no more money, after a reload, too.

use tender_checkout_core::{
    CheckoutPayment, Edit, Effect, Event, HostEvent, PaymentEvent, Phase, Reason, SentEvent,
    StatusEvent, WalletId,
};
use tender_protocol::PaymentState;

use crate::cancelling::cancelled;
use crate::support::{
    Checkout, HASH, RECEIPT, answer, code, config, key, lost, name, offered, ok, payment_record,
    payment_record_in, read_status, reconfigured, text, with_state,
};
use crate::wallets;

/// A way in which a record reaches the checkout.
type Deliver = fn(&mut Checkout, &str) -> Vec<Effect>;

const POLL: Deliver = |checkout, record| checkout.poll(ok(record));
const STREAM: Deliver = |checkout, record| checkout.receive(record);

/// The payment that the page shows in this state.
fn shown<'a>(checkout: &'a Checkout, state: &str) -> &'a CheckoutPayment {
    assert_eq!(name(&checkout.state), state);
    checkout.state.payment().unwrap()
}

/// A checkout whose payment the proxy has closed, without another status.
fn closed_checkout() -> Checkout {
    let mut checkout = Checkout::awaiting();
    checkout.receive(with_state("Created", "closed"));
    shown(&checkout, "closed");
    checkout
}

/// The names of the events of the payment.
fn events(checkout: &Checkout) -> Vec<&'static str> {
    let name = |event: &HostEvent| match event {
        HostEvent::Created(_) => "created",
        HostEvent::Status { .. } => "status",
        HostEvent::Paid(_) => "paid",
        HostEvent::Pending(_) => "pending",
        HostEvent::Underpaid(_) => "underpaid",
        HostEvent::Closed(_) => "closed",
        HostEvent::Cancelled(_) => "cancelled",
        HostEvent::Transaction { .. } => "transaction",
        HostEvent::Ready(_) | HostEvent::Error(_) => "",
    };
    let names = checkout.host_events.iter().map(name);
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn a_paid_payment_is_finished() {
    for deliver in [POLL, STREAM] {
        let mut checkout = Checkout::awaiting();
        let effects = deliver(&mut checkout, &with_state("Completed", "paid"));
        assert_eq!(effects, [], "nothing is left to follow");
        assert_eq!(checkout.stream, None);
        assert!(!shown(&checkout, "paid").facts.is_late);
        assert_eq!(shown(&checkout, "paid").record.status.text(), "Completed");
        assert_eq!(events(&checkout), ["created", "status", "paid"]);
        let HostEvent::Paid(payment) = checkout.last_event() else {
            panic!("an event is dispatched");
        };
        assert_eq!(payment, shown(&checkout, "paid").record);
        assert_eq!(payment.state, Some(PaymentState::Paid));
        checkout.ignores_all([
            Event::from(StatusEvent::PollDue),
            StatusEvent::PageSeen.into(),
            StatusEvent::PageHidden.into(),
            Event::Refreshed,
            Event::Reset,
            reconfigured(),
            PaymentEvent::CancelRequested.into(),
            PaymentEvent::CancelConfirmed.into(),
            PaymentEvent::ChangeRequested.into(),
            PaymentEvent::WalletChosen(WalletId(0)).into(),
            PaymentEvent::HashEntered(HASH.to_owned()).into(),
            StatusEvent::Received("p-1".to_owned(), with_state("Created", "closed")).into(),
        ]);
    }
}

/// The service may list it as "Created" for ever.
#[test]
fn a_payment_that_the_proxy_has_ended_is_closed_whatever_its_status() {
    for deliver in [POLL, STREAM] {
        let mut checkout = Checkout::awaiting();
        deliver(&mut checkout, &with_state("Created", "closed"));
        assert_eq!(shown(&checkout, "closed").record.status.text(), "Created");
        assert_eq!(events(&checkout), ["created", "closed"]);
        checkout.ignores_all([
            Event::from(PaymentEvent::CancelRequested),
            PaymentEvent::ChangeRequested.into(),
            PaymentEvent::WalletChosen(WalletId(0)).into(),
            PaymentEvent::HashEntered(HASH.to_owned()).into(),
            reconfigured(),
        ]);
    }
}

/// The money was sent before the payment was closed.
#[test]
fn a_closed_payment_may_still_become_paid() {
    let mut checkout = closed_checkout();
    assert!(checkout.stream.is_some(), "it is still followed");
    for open in ["open", "closed", ""] {
        checkout.receive(with_state("Created", open));
        shown(&checkout, "closed");
    }
    assert_eq!(events(&checkout), ["created", "closed"]);
    POLL(&mut checkout, &with_state("Completed", "paid"));
    assert!(shown(&checkout, "paid").facts.is_late);
    assert_eq!(events(&checkout), ["created", "closed", "status", "paid"]);
}

#[test]
fn a_reload_dispatches_an_end_only_if_another_tab_has_ended_the_payment() {
    for (before, expected) in [
        (closed_checkout(), &[][..]),
        (Checkout::awaiting(), &["closed"]),
    ] {
        let (mut next, _) = before.reload();
        next.fetch(ok(with_state("Created", "closed")));
        shown(&next, "closed");
        assert_eq!(events(&next), expected);
    }
}

/// A repeat of a create request returns the payment that exists.
#[test]
fn a_create_response_may_say_that_the_payment_has_ended() {
    for (state, names) in [
        ("paid", ["created", "paid"]),
        ("closed", ["created", "closed"]),
    ] {
        let mut checkout = Checkout::submitting();
        let fields = [RECEIPT, ("state", &*text(state))];
        checkout.created(ok(payment_record(&fields)));
        assert_eq!(events(&checkout), names);
        assert_eq!(checkout.stream.is_some(), state == "closed");
        shown(&checkout, state);
    }
}

#[test]
fn after_a_payment_has_ended_the_same_form_is_a_new_attempt() {
    for mut checkout in [closed_checkout(), cancelled()] {
        assert_eq!(checkout.on(Event::Reset), [Effect::FetchTokens]);
        assert_eq!(checkout.stream, None);
        assert_eq!(checkout.saved(), None);
        checkout.on(Event::TokensFetched(ok(offered())));
        let chosen = &checkout.context().form.payment_token;
        assert_eq!(*chosen, Some(code("trx")), "the choice is kept");
        assert_eq!(checkout.submit("second").unwrap().key, key("second"));
    }
}

/// They have sent the money: the shop must help.
#[test]
fn nobody_who_has_sent_a_transaction_is_asked_to_pay_again() {
    let mut checkout = Checkout::awaiting();
    checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
    checkout.receive(with_state("Expired", "closed"));
    checkout.ignores(Event::Reset);
    let (mut next, _) = checkout.reload();
    assert_eq!(shown(&next, "closed").transaction().unwrap().as_str(), HASH);
    next.ignores(Event::Reset);
}

#[test]
fn a_closed_payment_of_another_price_is_forgotten() {
    let start = |before: &Checkout| before.reload_as(config(&[("quantity", "30")])).0;
    assert!(start(&closed_checkout()).state.context.prior.is_none());

    let mut sent = Checkout::awaiting();
    sent.on(PaymentEvent::HashEntered(HASH.to_owned()));
    sent.receive(with_state("Expired", "closed"));
    shown(&start(&sent), "closed");
    let mut done = Checkout::awaiting();
    done.receive(with_state("Completed", "paid"));
    shown(&start(&done), "paid");
}

/// The buyer cancels the payment, or wants another token, but the money was there already.
#[test]
fn a_paid_payment_is_neither_cancelled_nor_replaced() {
    let cancel: fn(&mut Checkout) -> Vec<Effect> = Checkout::cancel;
    let replace: fn(&mut Checkout) -> Vec<Effect> = |checkout| {
        checkout.return_by(PaymentEvent::ChangeRequested);
        checkout.submit_for("btc")
    };
    for leave in [cancel, replace] {
        let mut checkout = Checkout::awaiting();
        leave(&mut checkout);
        let list = format!("[{}]", with_state("Completed", "paid"));
        assert_eq!(checkout.cancel_finished(ok(list)), [], "nothing is created");
        shown(&checkout, "paid");
        assert_eq!(events(&checkout), ["created", "status", "paid"]);
    }
}

#[test]
fn a_payment_that_closes_while_it_is_being_cancelled_is_cancelled_if_the_response_says_so() {
    // The proxy may report it before it responds to the cancellation, which decides.
    let missing = || answer(404, "");
    for (response, names) in [
        (ok("[]"), ["created", "cancelled"]),
        (lost(), ["created", "closed"]),
        (missing(), ["created", "closed"]),
    ] {
        let mut checkout = Checkout::awaiting();
        checkout.cancel();
        checkout.receive(with_state("Created", "closed"));
        assert!(!checkout.payment().asks_for_money());
        assert_eq!(events(&checkout), ["created"]);
        let (next, _) = checkout.reload();
        shown(&next, "closed");
        checkout.cancel_finished(response);
        assert_eq!(events(&checkout), names);
        assert_eq!(name(&checkout.state), names[1]);
    }
}

/// A checkout whose wallet does not answer, and whose payment was then cancelled.
fn cancelled_with_an_unclear_wallet() -> Checkout {
    let mut checkout = wallets::bnb();
    checkout.on(PaymentEvent::WalletChosen(WalletId(0)));
    checkout.on(PaymentEvent::WalletAbandoned);
    checkout.cancel();
    checkout.cancel_finished(ok("[]"));
    assert!(matches!(
        checkout.state.phase,
        Phase::NotPayable(Reason::Cancelled, _)
    ));
    checkout
}

fn late_hash() -> SentEvent {
    wallets::answer(1, Ok(wallets::HASH))
}

#[test]
fn a_late_hash_of_a_cancelled_payment_is_kept() {
    let tokens = || Event::TokensFetched(ok(offered()));
    for leaving in [vec![], vec![Event::Reset], vec![Event::Reset, tokens()]] {
        let mut checkout = cancelled_with_an_unclear_wallet();
        for event in leaving {
            checkout.on(event);
        }
        // The payment is followed again.
        assert_eq!(checkout.on(late_hash()), [read_status()]);
        let hash = |checkout: &Checkout| shown(checkout, "closed").transaction().cloned();
        assert_eq!(hash(&checkout).unwrap().as_str(), wallets::HASH);
        assert_eq!(events(&checkout), ["cancelled", "transaction"]);
        checkout.ignores(Event::Reset);
        assert_eq!(hash(&checkout.reload().0), hash(&checkout));
    }
    // Without a hash, the wallet's answer changes nothing, and the buyer may pay.
    let mut checkout = cancelled_with_an_unclear_wallet();
    checkout.return_by(Event::Reset);
    assert_eq!(checkout.context().open_payment(), None);
    checkout.on(Edit::Token(code("trx")));
    checkout.submit("second").unwrap();
    checkout.ignores(late_hash());
}

#[test]
fn a_late_hash_is_added_to_a_paid_or_closed_payment() {
    for state in ["paid", "closed"] {
        let mut checkout = wallets::bnb();
        checkout.on(PaymentEvent::WalletChosen(WalletId(0)));
        let fields = [("quantityPay", "0.5"), ("state", &*text(state))];
        POLL(&mut checkout, &payment_record_in("bnb", &fields));
        checkout.on(late_hash());
        let payment = shown(&checkout, state);
        assert_eq!(payment.transaction().unwrap().as_str(), wallets::HASH);
    }
}
