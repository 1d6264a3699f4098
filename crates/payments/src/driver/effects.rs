//! Executes the effects of the element.

use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use tender_element::event_stream::{EventStream, StreamEvent};
use tender_element::host::log_error;
use tender_element::{StateMachine, page, storage};
use tender_payments_core::{Config, Effect, Event, MerchantKey, State, csv, step};
use tender_protocol::path;

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
            Effect::Send(key, request) => {
                let response = api::request(proxy, key.as_ref(), &request).send();
                self.element.tasks.fetch(response, move |result| {
                    self.dispatch(Event::RequestFinished(key, request, result));
                });
            }
            Effect::ScheduleDeliveries(seconds) => {
                self.schedule(seconds, Event::DeliveriesDue, |resources| {
                    &mut resources.deliveries
                });
            }
            Effect::Subscribe { key, last_event_id } => {
                let url = format!("{proxy}{}", path::EVENTS);
                let key = key.as_ref().map(MerchantKey::expose);
                let stream = EventStream::open(&url, key, last_event_id.as_deref(), move |event| {
                    self.dispatch(stream_event(event));
                });
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
            Effect::ReloadPage => {
                if window().location().reload().is_err() {
                    self.log("this page can't be reloaded by a script");
                }
            }
            Effect::OfferCsv(content) => {
                match download::offer("payments.csv", csv::MEDIA_TYPE, &content) {
                    Ok(url) => self.element.tasks.spawn(async move {
                        TimeoutFuture::new(DOWNLOAD_TIME).await;
                        drop(url);
                    }),
                    Err(_) => self.log("this browser can't create a file to download"),
                }
            }
            Effect::Emit(event) => {
                self.element
                    .host
                    .with(|element| host::emit(element, &event));
            }
        }
    }
}

impl Driver {
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

fn stream_event(event: StreamEvent) -> Event {
    match event {
        StreamEvent::Opened => Event::StreamOpened,
        StreamEvent::Message(message) => Event::StreamMessage {
            event: message.event,
            data: message.data,
            last_event_id: message.last_event_id,
        },
        StreamEvent::Lost => Event::StreamDisconnected,
        StreamEvent::Refused => Event::StreamUnsupported,
    }
}
