//! A checkout with a proxy that responds in any way.

mod properties;

use std::collections::HashMap;

use proptest::sample::Index;
use tender_checkout_core::memory::remember;
use tender_checkout_core::{
    Attempt, AttemptKey, Awaiting, Config, Effect, Event, FetchResult, HostEvent, PaymentProgress,
    State, TransportError, WalletFailure, WalletRequest, step,
};
use tender_protocol::PaymentState;

use crate::support::{HASH, RECEIPT, key, offered, ok, payment_record_in, text};

/// The next step of a sequence.
#[derive(Clone, Debug)]
pub(super) enum Move {
    /// An event from the buyer, the shop's page or the clock.
    Outside(Event),
    /// A submit with a new key.
    Submit,
    /// A response to one of the open requests.
    Answer(Index, Reply),
    /// A response that nothing requested.
    Stray(Reply),
    /// The open stream, if any, delivers an event.
    Stream(Reply),
    /// The open stream, if any, ends: refused, or lost.
    StreamEnds(bool),
    /// The page's attributes change.
    Reconfigure(Box<Config>),
    /// The page is loaded again, in the same tab.
    Reload,
}

/// The proxy's response to any request.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    /// As documented.
    Well {
        status: String,
        /// What the proxy says about the status; empty if it does not say.
        state: &'static str,
        has_receipt: bool,
    },
    /// Anything else.
    Badly(FetchResult),
}

/// An open request.
#[derive(Debug)]
enum Asked {
    Tokens,
    Create(AttemptKey),
    Cancel(String),
    Status(String),
    Wallet(String, WalletRequest),
}

/// The record of the payment `id`, in this token.
fn record(id: &str, token: &str, status: &str, state: &str, has_receipt: bool) -> String {
    let (id, status, state) = (text(id), text(status), text(state));
    let mut fields = vec![
        ("transactionId", id.as_str()),
        ("statusText", &status),
        ("state", &state),
    ];
    fields.extend(Some(RECEIPT).filter(|_| has_receipt));
    payment_record_in(token, &fields)
}

/// The checkout, its open requests, and its history.
pub(super) struct World {
    config: Config,
    state: State,
    asked: Vec<Asked>,
    /// The payment of the open stream.
    stream: Option<String>,
    keys: usize,
    /// For each key, the requests sent with it, and how often its payment was reported.
    attempts: HashMap<String, (Attempt, usize)>,
    /// The last attempt that may have created a payment which was not cancelled.
    open: Option<Attempt>,
    /// The payment that was reported and not cancelled.
    live: Option<String>,
}

impl World {
    pub(super) fn new(config: Config) -> Self {
        let mut world = Self {
            config,
            state: State::default(),
            asked: Vec::new(),
            stream: None,
            keys: 0,
            attempts: HashMap::new(),
            open: None,
            live: None,
        };
        world.on(Event::Started(None));
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
            Move::Stream(reply) => {
                let Some(id) = self.stream.clone() else {
                    return;
                };
                let json = match reply {
                    Reply::Well { status, state, .. } => {
                        record(&id, self.token_of(&id), &status, state, false)
                    }
                    Reply::Badly(answered) => {
                        answered.map(|answer| answer.body).unwrap_or_default()
                    }
                };
                self.on(Event::StatusReceived(id, json));
            }
            Move::StreamEnds(for_good) => {
                let Some(id) = self.stream.take() else { return };
                self.on(if for_good {
                    Event::StreamRefused(id)
                } else {
                    Event::StreamLost(id)
                });
            }
            Move::Stray(reply) => {
                let unknown = || "unknown".to_owned();
                self.on(Event::StreamLost(unknown()));
                self.on(Event::StreamRefused(unknown()));
                self.answer(Asked::Create(key("unknown")), reply.clone());
                self.answer(Asked::Cancel(unknown()), reply.clone());
                self.answer(Asked::Wallet(unknown(), WalletRequest(1)), reply.clone());
                self.answer(Asked::Status(unknown()), reply);
            }
            Move::Reconfigure(config) => {
                self.config = *config;
                self.on(Event::Reconfigured);
            }
            Move::Reload => self.reload(),
        }
    }

    /// A reload: open requests are lost, and only the saved state remains.
    fn reload(&mut self) {
        let memory = remember(&self.config, &self.state);
        if let Some(memory) = &memory {
            assert!(!memory.contains("a@b"), "nothing personal: {memory}");
        }
        let state_before = std::mem::take(&mut self.state);
        self.asked.clear();
        self.stream = None;
        if memory.is_none() {
            // What the buyer typed is lost, so its key can't be used again.
            self.open = None;
        }
        self.on(Event::Started(memory));
        if let (State::Awaiting(now), Some(open)) = (&self.state, &mut self.open) {
            // What the buyer typed about themselves is lost.
            open.request = now.request.clone();
        }
        if let Some(before) = shown(&state_before) {
            let is_closed = before.payment.state == Some(PaymentState::Closed);
            match &self.state {
                // It may have been closed while it was being cancelled.
                State::Closed(_) => assert!(is_closed),
                now => assert_eq!(
                    std::mem::discriminant(now),
                    std::mem::discriminant(&state_before)
                ),
            }
            let now = shown(&self.state).expect("a reload goes on with the payment");
            assert_eq!(now.payment, before.payment);
            assert_eq!(now.send, before.send);
            assert_eq!(now.progress, before.progress);
            assert_eq!(now.choice, before.choice);
            assert_eq!(now.receipt, before.receipt);
            assert_eq!(now.may_be_paid(), before.may_be_paid());
        }
    }

    fn answer(&mut self, asked: Asked, reply: Reply) {
        let body = |reply: Reply, well: &dyn Fn(String, &str, bool) -> String| match reply {
            Reply::Well {
                status,
                state,
                has_receipt,
            } => ok(well(status, state, has_receipt)),
            Reply::Badly(answered) => answered,
        };
        match asked {
            Asked::Tokens => {
                let answered = body(reply, &|_, _, _| offered());
                self.on(Event::TokensFetched(answered));
            }
            Asked::Create(AttemptKey(name)) => {
                let id = format!("payment of {name}");
                let asked = self.attempts.get(&name);
                let token = asked.map_or("trx", |(attempt, _)| attempt.choice.code.as_str());
                let answered = body(reply, &|status, state, has_receipt| {
                    record(&id, token, &status, state, has_receipt)
                });
                self.on(Event::CreateFinished(key(&name), answered));
            }
            Asked::Cancel(id) => {
                let answered = body(reply, &|status, state, _| {
                    format!(
                        "[{}]",
                        record(&id, self.token_of(&id), &status, state, false)
                    )
                });
                self.on(Event::CancelFinished(id, answered));
            }
            Asked::Status(id) => {
                let answered = body(reply, &|status, state, _| {
                    record(&id, self.token_of(&id), &status, state, false)
                });
                self.on(Event::StatusFetched(id, answered));
            }
            Asked::Wallet(id, request) => {
                let answer = match reply {
                    Reply::Well { .. } => Ok(HASH.to_owned()),
                    Reply::Badly(Ok(answer)) => Ok(answer.body),
                    Reply::Badly(Err(TransportError::TimedOut)) => Err(WalletFailure::Declined),
                    Reply::Badly(Err(_)) => Err(WalletFailure::Unclear),
                };
                self.on(Event::WalletFinished(id, request, answer));
            }
        }
    }

    /// The token of the payment with this id.
    fn token_of(&self, id: &str) -> &str {
        let attempt = id
            .strip_prefix("payment of ")
            .and_then(|name| self.attempts.get(name));
        attempt.map_or("trx", |(attempt, _)| attempt.choice.code.as_str())
    }

    /// Handles an event, then checks the requests and dispatched events.
    fn on(&mut self, event: Event) {
        let before = self.state.clone();
        let answered = match &event {
            Event::CreateFinished(AttemptKey(name), _) => Some(name.clone()),
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
                Effect::SchedulePoll(seconds) => assert!((5..=60).contains(&seconds), "{seconds}"),
                Effect::Subscribe { transaction_id, .. } => {
                    assert_eq!(self.stream, None, "one stream at a time");
                    self.stream = Some(transaction_id);
                }
                Effect::Unsubscribe => {
                    assert!(self.stream.take().is_some(), "a stream is closed once");
                }
                Effect::RequestWalletPayment {
                    transaction_id,
                    request,
                    ..
                } => {
                    let is_open = matches!(&before, State::Awaiting(awaiting)
                        if awaiting.progress == PaymentProgress::Open);
                    assert!(
                        is_open,
                        "a wallet is asked only while there is something to pay"
                    );
                    self.asked.push(Asked::Wallet(transaction_id, request));
                }
                Effect::Emit(event) => self.tell(*event, answered.as_deref()),
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
        assert!(self.live.is_none(), "the payment before is cancelled first");
        if let Some(open) = &self.open
            && open.request == attempt.request
        {
            assert_eq!(
                open.key, attempt.key,
                "the same request again is the same attempt"
            );
        }
        let AttemptKey(name) = attempt.key.clone();
        let (known, count) = self.attempts.entry(name).or_insert((attempt.clone(), 0));
        assert_eq!(*known, attempt, "a key belongs to one request");
        assert_eq!(*count, 0, "what is a payment is not sent again");
        self.asked.push(Asked::Create(attempt.key.clone()));
        self.open = Some(attempt);
    }

    fn tell(&mut self, event: HostEvent, answered: Option<&str>) {
        match event {
            HostEvent::Created(payment) => {
                let name = answered.expect("a payment is reported when its create is answered");
                assert_eq!(payment.transaction_id, format!("payment of {name}"));
                let (_, count) = self.attempts.get_mut(name).unwrap();
                *count += 1;
                assert_eq!(*count, 1, "a payment is reported once");
                self.live = Some(payment.transaction_id);
            }
            HostEvent::Cancelled(payment) => {
                assert!(matches!(
                    self.state,
                    State::Cancelled(..) | State::Submitting(..)
                ));
                assert_eq!(self.live.take(), Some(payment.transaction_id));
                self.open = None;
            }
            HostEvent::Paid(payment) => {
                assert!(matches!(&self.state, State::Paid(paid) if paid.payment == payment));
                self.live = None;
                self.open = None;
            }
            HostEvent::Closed(payment) => {
                assert!(matches!(&self.state, State::Closed(closed) if closed.payment == payment));
                self.live = None;
                self.open = None;
            }
            HostEvent::Status { payment, previous } => assert_ne!(payment.status, previous),
            HostEvent::Ready(codes) => assert!(!codes.is_empty()),
            HostEvent::Transaction { .. } | HostEvent::Error(_) => {}
        }
    }
}

/// The payment on the page that a reload shows again.
fn shown(state: &State) -> Option<&Awaiting> {
    match state {
        State::Awaiting(shown) | State::Paid(shown) | State::Closed(shown) => Some(shown),
        _ => None,
    }
}
