//! Executes the effects of the element.

use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use tender_element::event_stream::{EventStream, StreamEvent};
use tender_element::host::log_error;
use tender_element::{StateMachine, http, page, storage};
use tender_payments_core::{Config, Effect, Event, MerchantKey, State, step};
use tender_protocol::client::FetchResult;

use super::{Driver, Resources, storage_key};
use crate::{api, download, host};

/// How long an exported file can be read, in milliseconds.
const DOWNLOAD_TIME: u32 = 60_000;

impl StateMachine for Driver {
    type Config = Config;
    type State = State;
    type Event = Event;
    type Effect = Effect;

    fn step(_config: &Config, state: State, event: Event) -> (State, Vec<Effect>) {
        step(state, event)
    }

    fn execute(self, config: &Config, effect: Effect) {
        let proxy = &config.proxy;
        match effect {
            Effect::FetchList(request) => {
                let response = api::list(proxy, request.key.as_ref(), request.page).send();
                self.fetch(response, |result| Event::ListFetched(request, result));
            }
            Effect::CancelPayment {
                key,
                transaction_id,
            } => {
                let key = key.as_ref().map(MerchantKey::expose);
                let request = http::cancel_payment(proxy, &transaction_id, key);
                self.fetch(request.send(), |result| {
                    Event::CancelFinished(transaction_id, result)
                });
            }
            Effect::FetchLedger {
                key,
                transaction_ids,
            } => {
                let response = api::ledger(proxy, key.as_ref(), &transaction_ids).send();
                self.fetch(response, |result| Event::LedgerFetched(key, result));
            }
            Effect::FetchDeliveries(request) => {
                let payment = request.transaction_id.as_deref();
                let response = api::deliveries(proxy, request.key.as_ref(), payment).send();
                self.fetch(response, |result| Event::DeliveriesFetched(request, result));
            }
            Effect::Resend { key, id } => {
                let response = api::resend(proxy, key.as_ref(), id.clone()).send();
                self.fetch(response, |result| Event::ResendFinished(id, result));
            }
            Effect::ChangeOrder {
                key,
                transaction_id,
                action,
            } => {
                let request = api::change_order(proxy, key.as_ref(), &transaction_id, action);
                self.fetch(request.send(), move |result| {
                    Event::OrderActionFinished(transaction_id, action, result)
                });
            }
            Effect::SignOrder { key, order } => {
                let response = api::sign(proxy, key.as_ref(), &order).send();
                self.fetch(response, |result| Event::OrderSigned(order, result));
            }
            Effect::ScheduleDeliveries(seconds) => {
                self.schedule(seconds, Event::DeliveriesDue, |resources| {
                    &mut resources.deliveries
                });
            }
            Effect::Subscribe { key, last_event_id } => {
                let stream = self.subscribe(proxy, key.as_ref(), last_event_id.as_deref());
                self.replace(|resources| &mut resources.stream, Some(stream));
            }
            Effect::Unsubscribe => {
                self.replace(|resources| &mut resources.stream, None);
            }
            Effect::SchedulePoll(seconds) => {
                self.schedule(seconds, Event::PollDue, |resources| &mut resources.poll);
            }
            Effect::StoreKey(key) => {
                let key = key.as_ref().map(MerchantKey::expose);
                storage::write(&storage_key(proxy), key);
            }
            Effect::ReloadPage => self.reload_page(),
            Effect::Download {
                name,
                media_type,
                content,
            } => match download::offer(name, media_type, &content) {
                Ok(url) => self.element.tasks.spawn(async move {
                    TimeoutFuture::new(DOWNLOAD_TIME).await;
                    drop(url);
                }),
                Err(_) => self.log("this browser can't create a file to download"),
            },
            Effect::Emit(event) => {
                self.element
                    .host
                    .with(|element| host::emit(element, &event));
            }
        }
    }
}

impl Driver {
    /// Dispatches the result of a request.
    fn fetch(
        self,
        response: impl Future<Output = FetchResult> + 'static,
        event: impl FnOnce(FetchResult) -> Event + 'static,
    ) {
        let tasks = self.element.tasks;
        tasks.fetch(response, move |result| self.dispatch(event(result)));
    }

    /// Dispatches an event after this time. This replaces the timer of an earlier call.
    fn schedule(
        self,
        seconds: u32,
        event: Event,
        timer: fn(&mut Resources) -> &mut Option<Timeout>,
    ) {
        let timeout = Timeout::new(page::jittered(seconds), move || self.dispatch(event));
        self.replace(timer, Some(timeout));
    }

    /// Connects to the event stream of all payments.
    fn subscribe(
        self,
        proxy: &str,
        key: Option<&MerchantKey>,
        last_event_id: Option<&str>,
    ) -> EventStream {
        let url = api::events_url(proxy);
        let key = key.map(MerchantKey::expose);
        EventStream::open(&url, key, last_event_id, move |event| {
            self.dispatch(match event {
                StreamEvent::Opened => Event::StreamOpened,
                StreamEvent::Message(message) => Event::StreamMessage {
                    event: message.event,
                    data: message.data,
                    last_event_id: message.last_event_id,
                },
                StreamEvent::Lost => Event::StreamDisconnected,
                StreamEvent::Refused => Event::StreamUnsupported,
            });
        })
    }

    fn reload_page(self) {
        if window().location().reload().is_err() {
            self.log("this page can't be reloaded by a script");
        }
    }

    fn log(self, message: &str) {
        self.element.host.with(|host| log_error(host, message));
    }

    /// Replaces a resource, and returns the old one. The caller drops it while the resources are not
    /// borrowed, because dropping it may run code of the page.
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
