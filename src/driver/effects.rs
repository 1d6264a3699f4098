//! Executes the effects of the checkout.

use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use js_sys::Promise;
use leptos::prelude::*;
use tender_checkout_core::{
    Config, Effect, Event, FormEvent, MarkSecret, PaymentEvent, Receipt, SentEvent, State,
    StatusEvent, WalletAnswer, WalletQuestion, WalletTransfer, saved, step,
};
use tender_element::event_stream::{EventStream, StreamEvent};
use tender_element::host::log_error;
use tender_element::http::ProxyRequest;
use tender_element::{StateMachine, http, page};
use tender_protocol::client::FetchResult;

use super::{Driver, Resources};
use crate::{api, host, session};

/// Where a request is that the loader has sent.
type Requested = fn(&mut Resources) -> &mut Option<Promise>;

const TOKENS: Requested = |resources| &mut resources.loading.tokens;
const PAYMENT: Requested = |resources| &mut resources.loading.payment;

impl StateMachine for Driver {
    type Config = Config;
    type State = State;
    type Event = Event;
    type Effect = Effect;

    fn step(config: &Config, state: State, event: Event) -> (State, Vec<Effect>) {
        step(config, state, event)
    }

    /// Saves what must survive a reload.
    fn on_step(self, config: &Config, state: &State) {
        let saved = saved::save(config, state);
        let before = self.replace(|resources| &mut resources.saved, saved.clone());
        if before != saved {
            session::write(config, saved.as_deref());
        }
        self.note_read(state);
    }

    fn execute(self, config: &Config, effect: Effect) {
        let proxy = &config.proxy;
        match effect {
            Effect::FetchTokens => {
                self.fetch_once(TOKENS, api::tokens(proxy), Event::TokensFetched);
            }
            Effect::FindPayment => {
                let request = api::find(proxy, &config.order);
                self.fetch_once(PAYMENT, request, Event::FindFinished);
            }
            Effect::Create(attempt, replaced) => {
                let request = api::create(proxy, &attempt, replaced.as_ref());
                self.fetch(request.send(), move |result| {
                    FormEvent::CreateFinished(attempt.key, result)
                });
            }
            Effect::Cancel {
                transaction_id,
                receipt,
            } => {
                let request = http::cancel_payment(proxy, &transaction_id, receipt.as_deref());
                self.fetch(request.send(), move |result| {
                    PaymentEvent::CancelFinished(transaction_id, result)
                });
            }
            Effect::ReadStatus(payment) => {
                let request = api::payment(proxy, &payment);
                self.fetch(request.send(), move |result| {
                    StatusEvent::Fetched(payment.transaction_id, result)
                });
            }
            Effect::SchedulePoll(seconds) => self.schedule_poll(seconds),
            Effect::Subscribe(payment) => {
                let stream = self.subscribe(proxy, payment.transaction_id, &payment.receipt);
                self.replace(|resources| &mut resources.stream, Some(stream));
            }
            Effect::Unsubscribe => {
                self.replace(|resources| &mut resources.stream, None);
            }
            Effect::ChooseSecret(id) => self.choose_secret(id),
            Effect::MarkSent(payment, secret) => {
                let request = api::mark_sent(proxy, &payment, &secret);
                self.fetch(request.send(), move |result| {
                    SentEvent::MarkFinished(payment.transaction_id, result)
                });
            }
            Effect::UnmarkSent(payment, secret) => {
                let request = api::unmark_sent(proxy, &payment, &secret);
                self.fetch(request.send(), move |result| {
                    SentEvent::UnmarkFinished(payment.transaction_id, secret, result)
                });
            }
            Effect::AskWallet {
                payment,
                number,
                question,
            } => self.ask_wallet(payment, number, question),
            Effect::AskToSend(payment, account) => {
                let (id, request) = (payment.transaction_id.clone(), payment.request);
                let sent = self.wallets.send(payment, &account);
                self.element.tasks.spawn(async move {
                    let result = sent.await;
                    self.dispatch(SentEvent::WalletFinished(id, request, result));
                });
            }
            Effect::Broadcast(payment) => {
                self.element.tasks.spawn(self.wallets.broadcast(&payment));
            }
            Effect::ReadReceipt {
                wallet,
                transaction_id,
                transfer,
                hash,
                expiration,
                seconds,
            } => {
                let wallets = self.wallets;
                let wait = TimeoutFuture::new(page::jittered(seconds));
                self.element.tasks.spawn(async move {
                    wait.await;
                    // Reading pauses while the page is hidden.
                    let receipt = if page::is_visible() {
                        let transfer = *transfer;
                        let read = wallets.receipt(wallet, transfer, hash.clone(), expiration);
                        read.await
                    } else {
                        Receipt::NotRead
                    };
                    self.dispatch(SentEvent::ReceiptRead(transaction_id, hash, receipt));
                });
            }
            Effect::Emit(event) => {
                self.element
                    .host
                    .with(|element| host::emit(element, &event));
            }
        }
    }
}

/// The time for an answer that only advises, in milliseconds.
const ADVICE: u32 = 5_000;

impl Driver {
    /// Asks a wallet something. The machine ignores the second of two answers.
    fn ask_wallet(self, payment: WalletTransfer, number: u32, question: WalletQuestion) {
        let (id, request) = (payment.transaction_id.clone(), payment.request);
        let answered =
            move |answer| self.dispatch(PaymentEvent::WalletAnswered(id, request, number, answer));
        // Each question has its own: an earlier one may be answered only now.
        let timeout = matches!(question, WalletQuestion::Funds(_)).then(|| {
            let answered = answered.clone();
            Timeout::new(ADVICE, move || answered(Ok(WalletAnswer::Yes)))
        });
        let answer = self.wallets.answer(payment, question);
        self.element.tasks.spawn(async move {
            let answer = answer.await;
            drop(timeout);
            answered(answer);
        });
    }

    /// Without random numbers there is no mark, and no wallet is asked.
    fn choose_secret(self, id: String) {
        match host::random_key() {
            Ok(key) => self.dispatch(SentEvent::SecretChosen(id, MarkSecret(key))),
            Err(error) => {
                self.element.host.with(|host| log_error(host, &error));
            }
        }
    }

    /// Dispatches the result of a request.
    fn fetch<E: Into<Event>>(
        self,
        request: impl Future<Output = FetchResult> + 'static,
        event: impl FnOnce(FetchResult) -> E + 'static,
    ) {
        let tasks = self.element.tasks;
        tasks.fetch(request, move |result| self.dispatch(event(result)));
    }

    /// Sends a request, unless the loader has sent it already: then its response is used, once.
    fn fetch_once(
        self,
        requested: Requested,
        request: ProxyRequest,
        event: fn(FetchResult) -> Event,
    ) {
        match self.replace(requested, None) {
            Some(promise) => self.fetch(http::from_loader(promise), event),
            None => self.fetch(request.send(), event),
        }
    }

    /// Polling pauses while the page is hidden; `PageSeen` continues it.
    fn schedule_poll(self, seconds: u32) {
        let timeout = Timeout::new(page::jittered(seconds), move || {
            if page::is_visible() {
                self.dispatch(StatusEvent::PollDue);
            }
        });
        self.replace(|resources| &mut resources.poll, Some(timeout));
    }

    /// Opens the event stream of a payment.
    fn subscribe(self, proxy: &str, id: String, receipt: &str) -> EventStream {
        let url = api::events_url(proxy, &id);
        EventStream::open(&url, Some(receipt), None, move |event| {
            let id = id.clone();
            match event {
                StreamEvent::Message(message) if message.event == "status" => {
                    self.dispatch(StatusEvent::Received(id, message.data));
                }
                StreamEvent::Lost => self.dispatch(StatusEvent::StreamLost(id)),
                StreamEvent::Refused => self.dispatch(StatusEvent::StreamRefused(id)),
                StreamEvent::Opened | StreamEvent::Message(_) => {}
            }
        })
    }

    /// Replaces a resource, and returns the old one. The caller drops it while the resources are not borrowed, because
    /// dropping it may run code of the page.
    fn replace<T>(
        self,
        resource: fn(&mut Resources) -> &mut Option<T>,
        new: Option<T>,
    ) -> Option<T> {
        self.resources
            .try_update_value(|resources| std::mem::replace(resource(resources), new))
            .flatten()
    }
}
