//! A checkout with a proxy behind it that answers anything, and what must be true of both.

use std::collections::HashMap;

use proptest::sample::Index;
use tender_core::{
    Answered, Attempt, AttemptKey, Cancelling, Config, Effect, Event, HostEvent, State, step,
};

use crate::support::{RECEIPT, key, offered, ok, payment_record, text};

/// What may happen next.
#[derive(Clone, Debug)]
pub(super) enum Move {
    /// The buyer, the shop's page or the clock.
    Outside(Event),
    /// A submit, with a fresh key.
    Submit,
    /// One of the requests under way is answered.
    Answer(Index, Reply),
    /// An answer that nobody waits for.
    Stray(Reply),
    /// The page's attributes change.
    Reconfigure(Box<Config>),
}

/// What a proxy says to a request, whatever was asked.
#[derive(Clone, Debug)]
pub(super) enum Reply {
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

/// The checkout, what it has asked for, and what it has made of it.
pub(super) struct World {
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
    pub(super) fn new(config: Config) -> Self {
        let mut world = Self {
            config,
            state: State::default(),
            asked: Vec::new(),
            keys: 0,
            attempts: HashMap::new(),
            open: None,
        };
        world.on(Event::Started);
        world
    }

    pub(super) fn take(&mut self, next: Move) {
        match next {
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
            Move::Reconfigure(config) => {
                self.config = *config;
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
        let creates = under_way(|asked| matches!(asked, Asked::Create(_)));
        let cancels = under_way(|asked| matches!(asked, Asked::Cancel(_)));
        let waits_for = match &self.state {
            State::Loading(_) => (1, 0, 0),
            State::Submitting(..) => (0, 1, 0),
            State::Awaiting(awaiting) if awaiting.cancelling == Cancelling::Sent => (0, 0, 1),
            _ => (0, 0, 0),
        };
        assert_eq!((tokens, creates, cancels), waits_for, "{:?}", self.state);
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
