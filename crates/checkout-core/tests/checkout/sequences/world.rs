//! A checkout with a proxy that responds in any way.

mod history;
mod properties;
mod replies;
mod wallets;

use std::collections::{HashMap, HashSet};

use proptest::sample::Index;
use tender_checkout_core::saved::save;
use tender_checkout_core::{
    Attempt, AttemptKey, CheckoutPayment, Config, Effect, Event, Form, FormEvent, LatestRecord,
    MarkSecret, PaymentEvent, Phase, Reason, SentEvent, SentMark, State, StatusEvent,
    WalletQuestion, WalletRequest, step,
};
use tender_protocol::PaymentState;

use self::replies::Asked;
use self::wallets::proves_unsent;
use crate::support::{key, name};

pub(super) use self::replies::Reply;

/// The next step of a sequence.
#[derive(Clone, Debug)]
pub(super) enum Move {
    /// An event from the buyer, the shop's page or the clock.
    Outside(Event),
    /// A submit with a new key.
    Submit,
    /// A response to one of the open requests.
    Answer(Index, Reply),
    /// A response to the latest of the open requests.
    AnswerLatest(Reply),
    /// A wallet answers again what it has answered before.
    AnswerAgain(Index, Reply),
    /// A response that nothing requested.
    Stray(Reply),
    /// The open stream, if any, delivers an event.
    Stream(Reply),
    /// The open stream, if any, ends: refused, or lost.
    StreamEnds(bool),
    /// Another page marks the payment, or removes its mark.
    MarkElsewhere(bool),
    /// The page's attributes change.
    Reconfigure(Box<Config>),
    /// The page is loaded again, in the same tab.
    Reload,
}

/// The checkout, its open requests, and its history.
pub(super) struct World {
    config: Config,
    state: State,
    asked: Vec<Asked>,
    /// What wallets were asked and have answered.
    answered: Vec<Asked>,
    /// The account, and whether the wallet is on the network, as it has said last to a question that counts.
    heard: (String, bool),
    /// The requests to send money, by payment, of which neither the wallet nor the buyer has said that nothing was sent. They
    /// stand beyond a reload.
    sends: HashSet<(String, u32)>,
    /// The payment of the open stream.
    stream: Option<String>,
    keys: usize,
    /// For each key, the requests sent with it, and how often its payment was reported.
    attempts: HashMap<String, (Attempt, usize)>,
    /// The last attempt that may have created a payment which was not cancelled.
    open: Option<Attempt>,
    /// The payment that was reported and not cancelled.
    live: Option<String>,
    /// The marks of this page: the payment and the secret, and whether no other mark stood when it was set.
    marks: HashMap<(String, String), bool>,
    /// Whether a mark of another page stands.
    is_marked_elsewhere: bool,
    /// How many secrets were chosen.
    secrets: usize,
}

impl World {
    pub(super) fn new(config: Config) -> Self {
        let mut world = Self {
            config,
            state: State::default(),
            asked: Vec::new(),
            answered: Vec::new(),
            heard: (String::new(), false),
            sends: HashSet::new(),
            stream: None,
            keys: 0,
            attempts: HashMap::new(),
            open: None,
            live: None,
            marks: HashMap::new(),
            is_marked_elsewhere: false,
            secrets: 0,
        };
        world.on(Event::Started(None));
        world
    }

    pub(super) fn take(&mut self, next: Move) {
        match next {
            Move::Outside(event) => {
                if let (Phase::Awaiting(payment), Event::Payment(PaymentEvent::NothingSent)) =
                    (&self.state.phase, &event)
                    && payment.may_say_unsent()
                {
                    let id = &payment.record.transaction_id;
                    self.sends.retain(|(of, _)| of != id);
                }
                self.on(event);
            }
            Move::Submit => {
                self.keys += 1;
                self.on(FormEvent::Submitted(key(&format!("key-{}", self.keys))));
            }
            Move::Answer(_, _) if self.asked.is_empty() => {}
            Move::Answer(index, reply) => {
                self.answer_at(index.index(self.asked.len()), reply);
            }
            Move::AnswerLatest(reply) => {
                if let Some(at) = self.asked.len().checked_sub(1) {
                    self.answer_at(at, reply);
                }
            }
            Move::AnswerAgain(_, _) if self.answered.is_empty() => {}
            Move::AnswerAgain(index, reply) => {
                let asked = self.answered[index.index(self.answered.len())].clone();
                self.answer(asked, reply);
            }
            Move::Stream(reply) => {
                let Some(id) = self.stream.clone() else {
                    return;
                };
                let json = match reply {
                    Reply::Well { status, state, .. } => self.record(&id, &status, state, false),
                    Reply::Badly(answered) => {
                        answered.map(|answer| answer.body).unwrap_or_default()
                    }
                };
                let is_sent = json.contains(r#""sent":true"#);
                self.on(StatusEvent::Received(id, json));
                if let Phase::Awaiting(payment) = &self.state.phase
                    && is_sent
                    && !payment.facts.mark.may_stand()
                    && payment.facts.latest == LatestRecord::Consistent
                {
                    assert!(
                        !payment.asks_for_money() || payment.facts.ignores_marks,
                        "what another page has marked is not asked for"
                    );
                }
            }
            Move::StreamEnds(for_good) => {
                let Some(id) = self.stream.take() else { return };
                self.on(if for_good {
                    StatusEvent::StreamRefused(id)
                } else {
                    StatusEvent::StreamLost(id)
                });
            }
            Move::Stray(reply) => {
                let unknown = || "unknown".to_owned();
                self.on(StatusEvent::StreamLost(unknown()));
                self.on(StatusEvent::StreamRefused(unknown()));
                self.answer(Asked::Tokens, reply.clone());
                self.answer(Asked::Create(key("unknown")), reply.clone());
                self.answer(Asked::Cancel(unknown()), reply.clone());
                let request = WalletRequest(1);
                self.answer(Asked::Wallet(unknown(), request), reply.clone());
                let question = Asked::Question(unknown(), request, 1, WalletQuestion::Account);
                self.answer(question, reply.clone());
                let none = || "none".to_owned();
                self.answer(Asked::Mark(unknown(), none()), reply.clone());
                self.answer(Asked::Unmark(unknown(), none()), reply.clone());
                self.answer(Asked::Status(unknown()), reply.clone());
                if !self.asked.iter().any(|asked| matches!(asked, Asked::Find)) {
                    self.answer_look_up(reply);
                }
            }
            Move::MarkElsewhere(is_marked) => self.is_marked_elsewhere = is_marked,
            Move::Reconfigure(config) => {
                let before = Form::new(&self.config);
                self.config = *config;
                self.on(Event::Reconfigured(Box::new(before)));
            }
            Move::Reload => self.reload(),
        }
    }

    /// Answers an open request.
    fn answer_at(&mut self, at: usize, reply: Reply) {
        let asked = self.asked.remove(at);
        if asked.is_of_wallet() {
            self.answered.push(asked.clone());
        }
        if let Asked::Wallet(id, request) = &asked
            && reply.wallet_result().is_err_and(proves_unsent)
        {
            self.sends.remove(&(id.clone(), request.0));
        }
        self.answer(asked, reply);
    }

    /// A reload: open requests are lost, and only the saved state remains.
    fn reload(&mut self) {
        let saved = save(&self.config, &self.state);
        if let Some(saved) = &saved {
            assert!(!saved.contains("a@b"), "nothing personal: {saved}");
        }
        let state_before = std::mem::take(&mut self.state);
        self.asked.clear();
        self.answered.clear();
        self.stream = None;
        if saved.is_none() {
            // What the buyer typed is lost, so its key can't be used again.
            self.open = None;
        }
        self.on(Event::Started(saved));
        if let (Phase::Awaiting(now), Some(open)) = (&self.state.phase, &mut self.open) {
            // What the buyer typed about themselves is lost.
            open.request = now.request.clone();
        }
        if let Some(before) = shown(&state_before) {
            let is_closed = before.record.state == Some(PaymentState::Closed);
            match &self.state.phase {
                // It may have been closed while it was being cancelled.
                Phase::NotPayable(Reason::Closed, _) => assert!(is_closed),
                _ => assert_eq!(name(&self.state), name(&state_before)),
            }
            let now = shown(&self.state).expect("a reload goes on with the payment");
            assert_eq!(now.record, before.record);
            assert_eq!(now.send, before.send);
            assert_eq!(now.transaction(), before.transaction());
            assert_eq!(
                std::mem::discriminant(&now.facts.progress()),
                std::mem::discriminant(&before.facts.progress())
            );
            assert_eq!(now.choice, before.choice);
            assert_eq!(now.receipt, before.receipt);
            assert_eq!(now.may_be_paid(), before.may_be_paid());
        }
    }

    /// Handles an event, then checks the requests and dispatched events.
    fn on(&mut self, event: impl Into<Event>) {
        let event = event.into();
        let before = self.state.clone();
        let answered = match &event {
            Event::Form(FormEvent::CreateFinished(AttemptKey(name), _)) => Some(name.clone()),
            _ => None,
        };
        let is_mark_answered = matches!((&event, &before.phase),
            (Event::Sent(SentEvent::MarkFinished(id, _)), Phase::Awaiting(payment))
                if *id == payment.record.transaction_id && matches!(payment.facts.mark, SentMark::Setting(_)));
        let (state, effects) = step(&self.config, before.clone(), event);
        self.state = state;
        for effect in effects {
            match effect {
                Effect::FetchTokens => self.asked.push(Asked::Tokens),
                Effect::FindPayment => self.asked.push(Asked::Find),
                Effect::Create(attempt, replaced) => self.create(*attempt, replaced.as_ref()),
                Effect::Cancel { transaction_id, .. } => {
                    let is_cancelling = self
                        .asked
                        .iter()
                        .any(|asked| matches!(asked, Asked::Cancel(_)));
                    assert!(!is_cancelling, "a cancellation is under way");
                    let is_marked = self.marks.keys().any(|(id, _)| *id == transaction_id);
                    assert!(!is_marked, "what may have been sent is not cancelled");
                    self.asked.push(Asked::Cancel(transaction_id));
                }
                Effect::ReadStatus(payment) => {
                    self.asked.push(Asked::Status(payment.transaction_id));
                }
                Effect::SchedulePoll(seconds) => assert!((5..=60).contains(&seconds), "{seconds}"),
                Effect::Subscribe(payment) => {
                    assert_eq!(self.stream, None, "one stream at a time");
                    self.stream = Some(payment.transaction_id);
                }
                Effect::Unsubscribe => {
                    assert!(self.stream.take().is_some(), "a stream is closed once");
                }
                Effect::ChooseSecret(id) => {
                    assert!(!is_mark_answered, "a refusal is not asked for at once");
                    self.asked.push(Asked::Secret(id));
                }
                Effect::MarkSent(payment, MarkSecret(secret)) => {
                    let saved = save(&self.config, &self.state);
                    assert!(
                        saved.is_some_and(|saved| saved.contains(&secret)),
                        "the secret is saved before it is used"
                    );
                    self.asked.push(Asked::Mark(payment.transaction_id, secret));
                }
                Effect::UnmarkSent(payment, MarkSecret(secret)) => {
                    let is_asked =
                        |asked: &Asked| matches!(asked, Asked::Mark(_, set) if *set == secret);
                    assert!(
                        !self.asked.iter().any(is_asked),
                        "a mark is not removed while it is being set"
                    );
                    self.asked
                        .push(Asked::Unmark(payment.transaction_id, secret));
                }
                effect @ (Effect::AskWallet { .. }
                | Effect::AskToSend(..)
                | Effect::Broadcast(_)) => self.on_wallet(&before, effect),
                Effect::ReadReceipt {
                    transaction_id,
                    hash,
                    seconds,
                    ..
                } => {
                    assert!((5..=60).contains(&seconds), "{seconds}");
                    self.asked.push(Asked::Receipt(transaction_id, hash));
                }
                Effect::Emit(event) => self.dispatched(*event, answered.as_deref()),
            }
        }
        self.check(&before);
    }
}

/// The payment on the page that a reload shows again.
fn shown(state: &State) -> Option<&CheckoutPayment> {
    let is_saved = !matches!(state.phase, Phase::NotPayable(Reason::Cancelled, _));
    state.payment().filter(|_| is_saved)
}
