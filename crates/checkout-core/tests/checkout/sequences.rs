//! Properties that hold after any sequence of events and responses.

mod world;

use proptest::prelude::*;
use proptest::sample::Index;
use tender_checkout_core::{
    Config, Edit, Event, FormEvent, PaymentEvent, StatusEvent, TransportError, WalletId,
};

use self::world::{Move, Reply, World};
use crate::support::{HASH, answer, code, config, lost, ok, signed_with};

/// A hash as it is written on EVM chains.
const HASH_OF_BNB: &str = "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

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
        4 => prop::sample::select(vec!["trx", "btc", "usdtt", "bnb", "eth"])
            .prop_map(|token| Edit::Token(code(token)).into()),
        1 => prop::sample::select(vec!["", "a@b", "nobody"])
            .prop_map(|email| Edit::Email(email.to_owned()).into()),
        1 => prop::sample::select(vec!["", "Ada"])
            .prop_map(|name| Edit::Name(name.to_owned()).into()),
        1 => prop::sample::select(vec!["", "1.5", "1.50", "x"])
            .prop_map(|amount| Edit::Amount(amount.to_owned()).into()),
        1 => prop::sample::select(vec![HASH, HASH_OF_BNB, "no hash"])
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
            PaymentEvent::NothingSent.into(),
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
        2 => prop::sample::select(vec![0, 1])
            .prop_map(|wallet| Move::Outside(PaymentEvent::WalletChosen(WalletId(wallet)).into())),
        12 => prop_oneof![6 => Just(well(true)), 1 => reply()].prop_map(Move::AnswerLatest),
        1 => (any::<Index>(), reply()).prop_map(|(index, reply)| Move::AnswerAgain(index, reply)),
        1 => reply().prop_map(Move::Stray),
        2 => reply().prop_map(Move::Stream),
        1 => any::<bool>().prop_map(Move::StreamEnds),
        1 => Just(Move::Reload),
        1 => any::<bool>().prop_map(Move::MarkElsewhere),
        1 => prop::sample::select(offers(order))
            .prop_map(|config| Move::Reconfigure(Box::new(config))),
    ];
    let moves = prop::collection::vec(one, 0..80);
    let begin = prop_oneof![
        Just(Vec::new()),
        prop::sample::select(vec!["bnb", "trx"]).prop_map(begin),
    ];
    (begin, moves).prop_map(|(begin, moves)| begin.into_iter().chain(moves).collect())
}

/// A response as documented.
fn well(has_receipt: bool) -> Reply {
    Reply::Well {
        status: "Created".to_owned(),
        state: "open",
        has_receipt,
    }
}

/// What leads to a payment in this token and to a wallet: most random events don't.
fn begin(token: &str) -> Vec<Move> {
    vec![
        // The order has no payment.
        Move::AnswerLatest(well(false)),
        Move::AnswerLatest(well(true)),
        Move::Outside(Edit::Token(code(token)).into()),
        Move::Outside(Edit::Amount("1.5".to_owned()).into()),
        Move::Submit,
        Move::AnswerLatest(well(true)),
        Move::Outside(PaymentEvent::WalletChosen(WalletId(0)).into()),
    ]
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
}
