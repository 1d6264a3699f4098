//! Properties that hold after any sequence of events and responses.

mod world;

use proptest::prelude::*;
use proptest::sample::Index;
use tender_checkout_core::{
    Config, Edit, Event, FormEvent, PaymentEvent, Receipt, SentEvent, State, StatusEvent,
    TransportError, WalletId, WalletRequest, step,
};

use self::world::{Move, Reply, World};
use crate::support::{
    HASH, RECEIPT, answer, code, config, key, listing, lost, ok, payment_record, signed_with,
    token_record, with_status,
};

/// An order with a price, one whose payer chooses it, and a signed one.
const ORDERS: [Order; 3] = [Order::Price, Order::PayerChooses, Order::Signed];

#[derive(Clone, Copy, Debug)]
enum Order {
    Price,
    PayerChooses,
    Signed,
}

/// The same order with different other attributes.
fn offers(order: Order) -> Vec<Config> {
    let with = |attributes: &[(&str, &str)]| match order {
        Order::Price => config(attributes),
        Order::PayerChooses => config(&[attributes, &[("item-number", "0")]].concat()),
        Order::Signed => signed_with(attributes),
    };
    vec![
        with(&[]),
        with(&[("payment-token", "trx"), ("ask", "email")]),
        with(&[("accept", "btc trx")]),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => prop::sample::select(vec!["trx", "btc", "usdtt", "eth"])
            .prop_map(|token| Edit::Token(code(token)).into()),
        1 => prop::sample::select(vec!["", "a@b", "nobody"])
            .prop_map(|email| Edit::Email(email.to_owned()).into()),
        1 => prop::sample::select(vec!["", "Ada"])
            .prop_map(|name| Edit::Name(name.to_owned()).into()),
        1 => prop::sample::select(vec!["", "1.5", "1.50", "x"])
            .prop_map(|amount| Edit::Amount(amount.to_owned()).into()),
        1 => prop::sample::select(vec![HASH, "no hash"])
            .prop_map(|hash| PaymentEvent::HashEntered(hash.to_owned()).into()),
        10 => prop::sample::select(vec![
            Event::Retried,
            FormEvent::FailureDismissed.into(),
            PaymentEvent::CancelRequested.into(),
            PaymentEvent::CancelRequested.into(),
            PaymentEvent::CancelConfirmed.into(),
            PaymentEvent::CancelConfirmed.into(),
            PaymentEvent::CancelDismissed.into(),
            PaymentEvent::WalletChosen(WalletId(0)).into(),
            PaymentEvent::WalletChosen(WalletId(1)).into(),
            PaymentEvent::WalletAbandoned.into(),
            PaymentEvent::HashRemoved.into(),
            StatusEvent::PollDue.into(),
            StatusEvent::PageHidden.into(),
            StatusEvent::PageSeen.into(),
            Event::Refreshed,
            Event::Reset,
            Event::Reset,
            PaymentEvent::ChangeRequested.into(),
            PaymentEvent::ChangeRequested.into(),
            FormEvent::Resumed.into(),
            FormEvent::SentAnswered(false).into(),
            FormEvent::SentAnswered(false).into(),
            FormEvent::SentAnswered(true).into()]),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    let well = (
        prop::sample::select(vec!["Created", "Seen", "Paid", "Cancelled"]),
        prop::sample::select(vec![
            "",
            "",
            "",
            "open",
            "open",
            "pending",
            "underpaid",
            "unknown",
            "paid",
            "closed",
            "Paid",
        ]),
        any::<bool>(),
    );
    let badly = prop_oneof![
        Just(lost()),
        Just(Err(TransportError::TimedOut)),
        prop::sample::select(vec![400_u16, 404, 409, 500, 504]).prop_map(|code| answer(code, "")),
        r"(<html>|\{\}|\[\]|\[\{\}\]|)".prop_map(ok),
        (100_u16..600, any::<String>()).prop_map(|(code, body)| answer(code, body)),
    ];
    prop_oneof![
        2 => well.prop_map(|(status, state, has_receipt)| Reply::Well {
            status: status.to_owned(),
            state,
            has_receipt,
        }),
        1 => badly.prop_map(Reply::Badly),
    ]
}

/// Random events for one order.
fn moves(order: Order) -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        6 => event().prop_map(Move::Outside),
        3 => Just(Move::Submit),
        8 => (any::<Index>(), reply()).prop_map(|(index, reply)| Move::Answer(index, reply)),
        1 => reply().prop_map(Move::Stray),
        2 => reply().prop_map(Move::Stream),
        1 => any::<bool>().prop_map(Move::StreamEnds),
        1 => Just(Move::Reload),
        1 => prop::sample::select(offers(order))
            .prop_map(|config| Move::Reconfigure(Box::new(config))),
    ];
    prop::collection::vec(one, 0..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn one_attempt_is_one_payment_in_any_sequence_of_events(
        (order, moves) in prop::sample::select(&ORDERS[..])
            .prop_flat_map(|order| (Just(order), moves(order))),
    ) {
        let mut world = World::new(offers(order).remove(0));
        for next in moves {
            world.take(next);
        }
    }

    #[test]
    fn no_order_of_events_is_a_panic(
        events in prop::collection::vec(any_event(), 0..40),
        config in prop::sample::select(ORDERS.map(offers).concat()),
    ) {
        let mut state = State::default();
        for event in events {
            let (next, effects) = step(&config, state, event);
            prop_assert!(effects.len() <= 3, "{:?}", effects);
            state = next;
        }
    }
}

/// A strategy for each group of events: an event in no group does not compile.
macro_rules! strategies {
    ($($events:pat => $weight:literal => $strategy:expr,)*) => {{
        let _ = |event| match event {
            $($events => {})*
        };
        prop_oneof![$($weight => $strategy),*]
    }};
}

/// Random events, including responses that nothing requested.
fn any_event() -> impl Strategy<Value = Event> {
    let answered = || {
        prop_oneof![
            reply().prop_map(|reply| match reply {
                Reply::Well { status, .. } => ok(with_status(&status)),
                Reply::Badly(answered) => answered,
            }),
            Just(ok(listing(&[
                token_record("trx", &[]),
                token_record("kxp", &[])
            ]))),
            Just(ok(format!("[{}]", payment_record(&[RECEIPT])))),
            Just(ok(payment_record(&[RECEIPT]))),
        ]
    };
    let name = prop::sample::select(vec!["a", "b"]);
    strategies! {
        Event::Edited(_)
        | Event::Retried
        | Event::Refreshed
        | Event::Reset
        | Event::Form(FormEvent::FailureDismissed | FormEvent::Resumed | FormEvent::SentAnswered(_))
        | Event::Payment(
            PaymentEvent::ChangeRequested
            | PaymentEvent::HashEntered(_)
            | PaymentEvent::HashRemoved
            | PaymentEvent::WalletChosen(_)
            | PaymentEvent::WalletAbandoned
            | PaymentEvent::CancelRequested
            | PaymentEvent::CancelDismissed
            | PaymentEvent::CancelConfirmed
        )
        | Event::Status(StatusEvent::PollDue | StatusEvent::PageHidden | StatusEvent::PageSeen)
            => 4 => event(),
        Event::Form(FormEvent::Submitted(_)) => 2 => name.clone().prop_map(|name| {
            FormEvent::Submitted(key(name)).into()
        }),
        Event::TokensFetched(_) => 2 => answered().prop_map(Event::TokensFetched),
        Event::Form(FormEvent::CreateFinished(..)) => 2 =>
            (name, answered()).prop_map(|(name, answered)| {
                FormEvent::CreateFinished(key(name), answered).into()
            }),
        Event::Payment(PaymentEvent::CancelFinished(..)) => 1 => answered().prop_map(|answered| {
            PaymentEvent::CancelFinished("p-1".to_owned(), answered).into()
        }),
        Event::Status(StatusEvent::Fetched(..)) => 1 => answered().prop_map(|answered| {
            StatusEvent::Fetched("p-1".to_owned(), answered).into()
        }),
        Event::Started(_) | Event::Reconfigured => 1 =>
            prop::sample::select(vec![Event::Started(None), Event::Reconfigured]),
        Event::Sent(SentEvent::WalletFinished(..)) => 1 => Just(
            SentEvent::WalletFinished("p-1".to_owned(), WalletRequest(1), Ok(HASH.to_owned())).into()
        ),
        Event::Payment(PaymentEvent::ReceiptRead(..)) => 1 => prop::sample::select(vec![
            Receipt::Unknown,
            Receipt::Succeeded,
            Receipt::Failed,
        ]).prop_map(|receipt| {
            PaymentEvent::ReceiptRead("p-1".to_owned(), HASH.to_owned(), receipt).into()
        }),
        Event::FindFinished(_) => 1 => answered().prop_map(Event::FindFinished),
        Event::Sent(SentEvent::MarkFinished(..)) => 1 => answered().prop_map(|answered| {
            SentEvent::MarkFinished("p-1".to_owned(), answered).into()
        }),
        Event::Sent(SentEvent::UnmarkFinished(..)) => 1 => answered().prop_map(|answered| {
            SentEvent::UnmarkFinished("p-1".to_owned(), "s".to_owned(), answered).into()
        }),
        Event::Status(StatusEvent::StreamLost(_) | StatusEvent::StreamRefused(_)) => 1 =>
            prop::sample::select(vec![
                StatusEvent::StreamLost("p-1".to_owned()).into(),
                StatusEvent::StreamRefused("p-1".to_owned()).into(),
            ]),
        Event::Status(StatusEvent::Received(..)) => 1 => Just(
            StatusEvent::Received("p-1".to_owned(), with_status("Seen")).into()
        ),
    }
}
