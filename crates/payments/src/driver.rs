//! Holds the state of one element, and is the only place that executes an effect.

use std::cell::RefCell;
use std::future::Future;

use gloo_timers::callback::Timeout;
use leptos::prelude::{Owner, window};
use tender_element_legacy::{Kept, Live, Speech, fetch, host as page_host, page, storage, task};
use tender_payments_core::{Config, Dashboard, Effect, Event, MerchantKey, State, step};
use web_sys::HtmlElement;

use crate::stream::Stream;
use crate::{api, download, host};

/// A handle to the state: views read it and send it events.
#[derive(Clone, Copy)]
pub(crate) struct Driver {
    state: Live<State>,
    config: Live<Config>,
    speech: Speech,
    parts: Kept<Parts>,
}

/// What effects need.
struct Parts {
    host: HtmlElement,
    /// Requests end with it.
    owner: Owner,
    /// The wait for the next look; a new one replaces it.
    look: RefCell<Option<Timeout>>,
    /// The proxy's stream; a new one replaces it.
    stream: RefCell<Option<Stream>>,
}

/// Under which name the tab keeps the key of this proxy.
fn key_name(proxy: &str) -> String {
    format!("tender-payments {proxy}")
}

impl Driver {
    /// Must be called under the element's own [`Owner`].
    pub(crate) fn new(host: HtmlElement, speech: Speech, config: Config) -> Self {
        let driver = Self {
            state: Live::new(State::new()),
            config: Live::new(config),
            speech,
            parts: Kept::new(Parts {
                host,
                owner: Owner::current().unwrap_or_default(),
                look: RefCell::default(),
                stream: RefCell::default(),
            }),
        };
        page::watch(move |is_seen| {
            driver.dispatch(if is_seen {
                Event::PageVisible
            } else {
                Event::PageHidden
            });
        });
        driver
    }

    /// Begins, with the key that the tab keeps.
    pub(crate) fn start(self) {
        let read = |config: &Config| storage::read(&key_name(&config.proxy));
        let key = self.config.peek(read).flatten();
        self.dispatch(Event::Started(key.and_then(|key| MerchantKey::parse(&key))));
    }

    /// Takes in an event: steps the state, then does what follows from it. After the element is
    /// gone this does nothing.
    pub(crate) fn dispatch(self, event: Event) {
        let Some(state) = self.state.peek(State::clone) else {
            return;
        };
        let (state, effects) = step(state, event);
        if self.state.peek(|before| *before != state) == Some(true) {
            self.state.set(state);
        }
        let Some(proxy) = self.config.peek(|config| config.proxy.clone()) else {
            return;
        };
        for effect in effects {
            self.execute(proxy.clone(), effect);
        }
    }

    /// Whether this is the proxy that is asked.
    pub(crate) fn is_at(self, proxy: &str) -> bool {
        self.config.peek(|now| now.proxy == proxy) == Some(true)
    }

    /// Takes over attributes that leave the proxy as it is.
    pub(crate) fn reconfigure(self, config: Config) {
        self.config.set(config);
    }

    /// Reads the state, and follows its changes.
    pub(crate) fn with<T>(self, read: impl FnOnce(&State) -> T) -> T {
        self.state.read(read)
    }

    /// Reads the desk, where there is one, and follows its changes.
    pub(crate) fn desk<T>(self, read: impl FnOnce(&Dashboard) -> T) -> Option<T> {
        self.with(|state| match state {
            State::Ready(desk) => Some(read(desk)),
            _ => None,
        })
    }

    /// What views say, and in which language.
    pub(crate) fn speech(self) -> Speech {
        self.speech
    }

    /// The language to write numbers and dates in.
    pub(crate) fn locale(self) -> String {
        let set = self.config.read(|config| config.locale.clone());
        set.or_else(|| Some(page_host::language(&self.parts.get()?.host)))
            .unwrap_or_default()
    }

    fn execute(self, proxy: String, effect: Effect) {
        match effect {
            Effect::FetchList(ask) => self.spawn(async move {
                let answered = api::list(&proxy, ask.key.as_ref(), ask.page).await;
                self.dispatch(Event::ListFetched(ask, answered));
            }),
            Effect::CancelPayment {
                key,
                transaction_id,
            } => self.spawn(async move {
                let key = key.as_ref().map(MerchantKey::expose);
                let answered = fetch::cancel(&proxy, &transaction_id, key).await;
                self.dispatch(Event::CancelFinished(transaction_id, answered));
            }),
            Effect::FetchLedger {
                key,
                transaction_ids,
            } => self.spawn(async move {
                let answered = api::ledger(&proxy, key.as_ref(), &transaction_ids).await;
                self.dispatch(Event::LedgerFetched(key, answered));
            }),
            Effect::Subscribe { key, last_event_id } => {
                let stream = Stream::open(self, &proxy, key.as_ref(), last_event_id.as_deref());
                let is_open = stream.is_some();
                self.replace_stream(stream);
                if !is_open {
                    self.dispatch(Event::StreamUnsupported);
                }
            }
            Effect::Unsubscribe => self.replace_stream(None),
            Effect::SchedulePoll(seconds) => {
                let timeout =
                    Timeout::new(seconds.saturating_mul(page::about_a_second()), move || {
                        self.dispatch(Event::PollDue);
                    });
                if let Some(parts) = self.parts.get() {
                    parts.look.replace(Some(timeout));
                }
            }
            Effect::StoreKey(key) => {
                storage::write(&key_name(&proxy), key.as_ref().map(MerchantKey::expose));
            }
            // Where the page can't be loaded anew it stays as it is, with the button.
            Effect::ReloadPage => drop(window().location().reload()),
            Effect::Download {
                name,
                media_type,
                content,
            } => {
                if download::offer(name, media_type, &content).is_err() {
                    let complaint = "this browser can't make a file to download";
                    self.with_host(|host| page_host::complain(host, complaint));
                }
            }
            Effect::Emit(event) => self.with_host(|host| host::tell(host, &event)),
        }
    }

    fn replace_stream(self, stream: Option<Stream>) {
        // What the stream before does at its end finds nothing borrowed.
        if let Some(parts) = self.parts.get() {
            parts.stream.replace(stream);
        }
    }

    /// Runs a future that ends with the element.
    pub(crate) fn spawn(self, future: impl Future<Output = ()> + 'static) {
        if let Some(parts) = self.parts.get() {
            parts.owner.with(|| task::spawn(Box::pin(future)));
        }
    }

    /// Lends the element out, with nothing borrowed: the page may run in `with`.
    fn with_host(self, with: impl FnOnce(&HtmlElement)) {
        if let Some(parts) = self.parts.get() {
            with(&parts.host);
        }
    }
}
