//! What holds after any sequence of events, with any answers to what was asked.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::sample::Index;
use tender_core::{
    Answered, Attempt, AttemptKey, Config, Effect, Event, HostEvent, State, Unanswered, step,
};

use crate::support::{
    RECEIPT, answer, code, config, key, listing, lost, offered, ok, payment_record, text,
    token_record, with_status,
};

/// What may happen next.
#[derive(Clone, Debug)]
enum Move {
    /// The buyer, the shop's page or the clock.
    Outside(Event),
    /// A submit, with a fresh key.
    Submit,
    /// One of the requests under way is answered.
    Answer(Index, Reply),
    /// An answer that nobody waits for.
    Stray(Reply),
    /// The page's attributes change.
    Reconfigure(usize),
}

/// What a proxy says to a request, whatever was asked.
#[derive(Clone, Debug)]
enum Reply {
    /// As documented.
    Well { status: String, has_receipt: bool },
    /// Something else.
    Badly(Answered),
}

/// A request under way.
#[derive(Debug)]
enum Asked {
    Tokens,
    Create(AttemptKey),
    Cancel(String),
    Status(String),
}

fn configs() -> Vec<Config> {
    vec![
        config(&[]),
        config(&[("payment-token", "trx"), ("ask", "email")]),
        config(&[("accept", "btc trx"), ("item-number", "0")]),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    prop_oneof![
        4 => prop::sample::select(vec!["trx", "btc", "usdtt", "eth"])
            .prop_map(|token| Event::TokenChosen(code(token))),
        1 => prop::sample::select(vec!["", "a@b", "nobody"])
            .prop_map(|email| Event::EmailTyped(email.to_owned())),
        1 => prop::sample::select(vec!["", "1.5", "1.50", "x"])
            .prop_map(|amount| Event::AmountTyped(amount.to_owned())),
        1 => prop::sample::select(vec![hash, "no hash"])
            .prop_map(|hash| Event::HashPasted(hash.to_owned())),
        10 => prop::sample::select(vec![
            Event::Started,
            Event::Retried,
            Event::WentBack,
            Event::CancelAsked,
            Event::CancelAsked,
            Event::CancelConfirmed,
            Event::CancelConfirmed,
            Event::CancelDropped,
            Event::LookDue,
            Event::Refreshed,
            Event::Reset,
            Event::Reset,
        ]),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    let well = (
        prop::sample::select(vec!["Created", "Seen", "Paid", "Cancelled"]),
        any::<bool>(),
    );
    let badly = prop_oneof![
        Just(lost()),
        Just(Err(Unanswered::TimedOut)),
        prop::sample::select(vec![400_u16, 404, 409, 500, 504]).prop_map(|code| answer(code, "")),
        r"(<html>|\{\}|\[\]|\[\{\}\]|)".prop_map(ok),
        (100_u16..600, any::<String>()).prop_map(|(code, body)| answer(code, body)),
    ];
    prop_oneof![
        2 => well.prop_map(|(status, has_receipt)| Reply::Well { status: status.to_owned(), has_receipt }),
        1 => badly.prop_map(Reply::Badly),
    ]
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        6 => event().prop_map(Move::Outside),
        3 => Just(Move::Submit),
        8 => (any::<Index>(), reply()).prop_map(|(index, reply)| Move::Answer(index, reply)),
        1 => reply().prop_map(Move::Stray),
        1 => (0..configs().len()).prop_map(Move::Reconfigure),
    ];
    prop::collection::vec(one, 0..80)
}

/// A checkout with a proxy behind it, and what must be true of both.
struct World {
    config: Config,
    state: State,
    asked: Vec<Asked>,
    keys: usize,
    /// The requests that each key was sent with, and how often its payment was told.
    attempts: HashMap<String, (Attempt, usize)>,
    /// The last attempt that may be a payment, while that was not cancelled.
    open: Option<Attempt>,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            config: configs().remove(0),
            state: State::default(),
            asked: Vec::new(),
            keys: 0,
            attempts: HashMap::new(),
            open: None,
        };
        world.on(Event::Started);
        world
    }

    fn take(&mut self, next: Move) {
        match next {
            // A page starts once.
            Move::Outside(Event::Started) => {}
            Move::Outside(event) => self.on(event),
            Move::Submit => {
                self.keys += 1;
                self.on(Event::Submitted(key(&format!("key-{}", self.keys))));
            }
            Move::Answer(_, _) if self.asked.is_empty() => {}
            Move::Answer(index, reply) => {
                let asked = self.asked.remove(index.index(self.asked.len()));
                self.answer(asked, reply);
            }
            Move::Stray(reply) => {
                let nobody = || "nobody".to_owned();
                self.answer(Asked::Create(key("nobody")), reply.clone());
                self.answer(Asked::Cancel(nobody()), reply.clone());
                self.answer(Asked::Status(nobody()), reply);
            }
            Move::Reconfigure(index) => {
                self.config = configs().remove(index);
                self.on(Event::Reconfigured);
            }
        }
    }

    fn answer(&mut self, asked: Asked, reply: Reply) {
        let body = |reply: Reply, well: &dyn Fn(String, bool) -> String| match reply {
            Reply::Well {
                status,
                has_receipt,
            } => ok(well(status, has_receipt)),
            Reply::Badly(answered) => answered,
        };
        let record = |id: &str, status: &str, has_receipt| {
            let (id, status) = (text(id), text(status));
            let mut fields = vec![("transactionId", id.as_str()), ("statusText", &status)];
            fields.extend(Some(RECEIPT).filter(|_| has_receipt));
            payment_record(&fields)
        };
        match asked {
            Asked::Tokens => {
                let answered = body(reply, &|_, _| offered());
                self.on(Event::TokensAnswered(answered));
            }
            Asked::Create(AttemptKey(name)) => {
                let id = format!("payment of {name}");
                let answered = body(reply, &|status, has_receipt| {
                    record(&id, &status, has_receipt)
                });
                self.on(Event::CreateAnswered(key(&name), answered));
            }
            Asked::Cancel(id) => {
                let answered = body(reply, &|status, _| {
                    format!("[{}]", record(&id, &status, false))
                });
                self.on(Event::CancelAnswered(id, answered));
            }
            Asked::Status(id) => {
                let answered = body(reply, &|status, _| record(&id, &status, false));
                self.on(Event::StatusAnswered(id, answered));
            }
        }
    }

    /// Steps, then checks what was asked and told.
    fn on(&mut self, event: Event) {
        let before = self.state.clone();
        let answered = match &event {
            Event::CreateAnswered(AttemptKey(name), _) => Some(name.clone()),
            _ => None,
        };
        let (state, effects) = step(&self.config, before.clone(), event);
        self.state = state;
        for effect in effects {
            match effect {
                Effect::FetchTokens => self.asked.push(Asked::Tokens),
                Effect::Create(attempt) => self.create(*attempt),
                Effect::Cancel { transaction_id, .. } => {
                    let is_cancelling = self
                        .asked
                        .iter()
                        .any(|asked| matches!(asked, Asked::Cancel(_)));
                    assert!(!is_cancelling, "a cancellation is under way");
                    self.asked.push(Asked::Cancel(transaction_id));
                }
                Effect::ReadStatus { transaction_id, .. } => {
                    self.asked.push(Asked::Status(transaction_id));
                }
                Effect::LookIn(seconds) => assert!((5..=60).contains(&seconds), "{seconds}"),
                Effect::Tell(event) => self.tell(*event, answered.as_deref()),
            }
        }
        self.check(&before);
    }

    fn create(&mut self, attempt: Attempt) {
        let is_creating = self
            .asked
            .iter()
            .any(|asked| matches!(asked, Asked::Create(_)));
        assert!(!is_creating, "a create is under way");
        if let Some(open) = &self.open
            && open.request == attempt.request
        {
            assert_eq!(
                open.key, attempt.key,
                "the same request again is the same attempt"
            );
        }
        let AttemptKey(name) = attempt.key.clone();
        let (known, told) = self.attempts.entry(name).or_insert((attempt.clone(), 0));
        assert_eq!(*known, attempt, "a key belongs to one request");
        assert_eq!(*told, 0, "what is a payment is not sent again");
        self.asked.push(Asked::Create(attempt.key.clone()));
        self.open = Some(attempt);
    }

    fn tell(&mut self, event: HostEvent, answered: Option<&str>) {
        match event {
            HostEvent::Created(payment) => {
                let name = answered.expect("a payment is told when its create is answered");
                assert_eq!(payment.transaction_id, format!("payment of {name}"));
                let (_, told) = self.attempts.get_mut(name).unwrap();
                *told += 1;
                assert_eq!(*told, 1, "a payment is told once");
            }
            HostEvent::Cancelled(_) => {
                assert!(matches!(self.state, State::Cancelled(..)));
                self.open = None;
            }
            HostEvent::Status { payment, previous } => assert_ne!(payment.status, previous),
            HostEvent::Ready(codes) => assert!(!codes.is_empty()),
            HostEvent::Transaction { .. } | HostEvent::Error(_) => {}
        }
    }

    /// What a state promises.
    fn check(&self, before: &State) {
        let under_way =
            |is: fn(&Asked) -> bool| self.asked.iter().filter(|asked| is(asked)).count();
        let tokens = under_way(|asked| matches!(asked, Asked::Tokens));
        assert_eq!(tokens, usize::from(matches!(self.state, State::Loading(_))));
        let creates = under_way(|asked| matches!(asked, Asked::Create(_)));
        assert_eq!(
            creates,
            usize::from(matches!(self.state, State::Submitting(..)))
        );
        match (&self.state, before) {
            (State::Choosing(choosing), _) => {
                let chosen = choosing.form.payment_token.as_ref();
                assert!(
                    chosen.is_none_or(|code| choosing.offers(code)),
                    "{chosen:?}"
                );
            }
            (State::Awaiting(now), State::Awaiting(before)) => {
                assert_eq!(now.payment.transaction_id, before.payment.transaction_id);
                assert_eq!(
                    (&now.send, &now.payment.wallet),
                    (&before.send, &before.payment.wallet)
                );
            }
            (State::Awaiting(now), State::Choosing(_)) => {
                assert_eq!(
                    self.open.as_ref().map(|open| &open.request),
                    Some(&now.request)
                );
            }
            (State::Cancelled(..), before) => {
                assert!(matches!(before, State::Awaiting(_) | State::Cancelled(..)));
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn one_wish_to_pay_is_one_payment_whatever_happens(moves in moves()) {
        let mut world = World::new();
        for next in moves {
            world.take(next);
        }
    }

    #[test]
    fn no_order_of_events_is_a_panic(
        events in prop::collection::vec(any_event(), 0..40),
        which in 0..configs().len(),
    ) {
        let config = configs().remove(which);
        let mut state = State::default();
        for event in events {
            let effects;
            (state, effects) = step(&config, state, event);
            prop_assert!(effects.len() <= 2, "{:?}", effects);
        }
    }
}

/// Events out of nowhere, answers among them.
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
    prop_oneof![
        4 => event(),
        2 => name.clone().prop_map(|name| Event::Submitted(key(name))),
        2 => answered().prop_map(Event::TokensAnswered),
        2 => (name, answered()).prop_map(|(name, answered)| Event::CreateAnswered(key(name), answered)),
        1 => answered().prop_map(|answered| Event::CancelAnswered("p-1".to_owned(), answered)),
        1 => answered().prop_map(|answered| Event::StatusAnswered("p-1".to_owned(), answered)),
        1 => Just(Event::Reconfigured),
    ]
}
