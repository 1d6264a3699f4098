//! Holds the state of one checkout, and is the only place that executes an effect.

pub(crate) mod payment;
pub(crate) mod rehearsal;
mod stream;
mod waiting;

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::Promise;
use leptos::prelude::Owner;
use tender_checkout_core::step::{choose, is_choice};
use tender_checkout_core::{AttemptKey, Config, Effect, Event, HostEvent, State};
use tender_element::host::{complain, language, tell_failure, warn};
use tender_element::{Kept, Live, Speech, fetch, page, task};
use web_sys::HtmlElement;

use self::stream::Stream;
use self::waiting::Waiting;
use crate::later::Later;
use crate::wallet::Wallets;
use crate::{Loader, api, host, later, session};

/// A handle to the state: views read it and send it events.
#[derive(Clone, Copy)]
pub(crate) struct Driver {
    state: Live<State>,
    config: Live<Rc<Config>>,
    speech: Speech,
    wallets: Wallets,
    /// A rehearsal has none: nothing comes of what it dispatches, and the page hears of none of it.
    parts: Option<Kept<Parts>>,
}

/// What effects need.
struct Parts {
    host: HtmlElement,
    loader: Loader,
    /// Requests end with it.
    owner: Owner,
    /// The listing that the loader has asked for, until it is used.
    tokens: RefCell<Option<Promise>>,
    /// The wait for the next look after the status; a new one replaces it.
    look: RefCell<Option<Timeout>>,
    /// The proxy's stream of the payment; a new one replaces it.
    stream: RefCell<Option<Stream>>,
    /// What has to wait for the rest of the module.
    waiting: RefCell<Waiting>,
    /// What the tab remembers by now.
    memory: RefCell<Option<String>>,
}

impl Driver {
    /// Must be called under the element's own [`Owner`].
    pub(crate) fn new(
        host: HtmlElement,
        speech: Speech,
        config: Config,
        tokens: Option<Promise>,
        loader: Loader,
    ) -> Self {
        warn(&host, &config.warnings);
        let driver = Self {
            state: Live::new(State::default()),
            config: Live::new(Rc::new(config)),
            speech,
            wallets: Wallets::new(),
            parts: Some(Kept::new(Parts {
                host,
                loader,
                owner: Owner::current().unwrap_or_default(),
                tokens: RefCell::new(tokens),
                look: RefCell::default(),
                stream: RefCell::default(),
                waiting: RefCell::default(),
                memory: RefCell::default(),
            })),
        };
        page::watch(move |is_seen| {
            driver.dispatch(if is_seen {
                Event::PageSeen
            } else {
                Event::PageHidden
            });
        });
        driver
    }

    /// Begins, with what the tab remembers.
    pub(crate) fn start(self) {
        let memory = self.config.peek(|config| session::read(config));
        self.dispatch(Event::Started(memory.flatten()));
        // A listing that is not used at once is not the one to use later.
        if let Some(parts) = self.parts() {
            parts.tokens.take();
        }
    }

    /// Takes in an event: steps the state, then does what follows from it. After the element is
    /// gone this does nothing, nor does it in a rehearsal.
    pub(crate) fn dispatch(self, event: Event) {
        if self.parts.is_none() {
            return;
        }
        let Some(is_choice) = self.state.peek(|state| is_choice(state, &event)) else {
            return;
        };
        let step = match later::loaded() {
            _ if self.has_to_wait(&event) => return self.wait(event),
            _ if is_choice => choose,
            Some(later) => later.step,
            None => return self.wait(event),
        };
        let Some(config) = self.config.peek(Rc::clone) else {
            return;
        };
        // A step is pure: nobody reads the state while it is away.
        let state = self.state.replace(State::default()).unwrap_or_default();
        let next = step(&config, state, event);
        let is_choosing = matches!(next.state, State::Choosing(_));
        self.state.replace(next.state);
        if next.is_new {
            self.keep(&config);
            if is_choosing && let Some(parts) = self.parts() {
                later::prepare(self, &parts.loader);
            }
            self.state.notify();
        }
        for effect in next.effects {
            self.execute(&config, effect);
        }
    }

    /// Has the tab remember what a reload must not lose. Without the rest of the module nothing has been begun.
    fn keep(self, config: &Config) {
        let remember = |later: Later| self.state.peek(|state| (later.remember)(config, state));
        let memory = later::loaded().and_then(remember).flatten();
        if let Some(parts) = self.parts()
            && parts.memory.replace(memory.clone()) != memory
        {
            session::write(config, memory.as_deref());
        }
    }

    /// Submits the form: draws the key of the attempt that this may begin.
    pub(crate) fn submit(self) {
        match host::random_key() {
            Ok(key) => self.dispatch(Event::Submitted(AttemptKey(key))),
            Err(error) => self.with_host(|host| complain(host, &error)),
        }
    }

    /// Whether `config` is about the same order at the same proxy.
    pub(crate) fn has_order_of(self, config: &Config) -> bool {
        let is_same = |now: &Rc<Config>| now.proxy == config.proxy && now.order == config.order;
        self.config.peek(is_same) == Some(true)
    }

    /// Takes over attributes that leave the order as it is.
    pub(crate) fn reconfigure(self, config: Config) {
        let is_same_offer = self.config.peek(|now| now.offers_same(&config));
        self.with_host(|host| warn(host, &config.warnings));
        self.config.set(Rc::new(config));
        if is_same_offer == Some(false) {
            self.dispatch(Event::Reconfigured);
        }
    }

    /// Whether the buyer may choose; follows the state.
    pub(crate) fn is_choosing(self) -> bool {
        self.with(|state| matches!(state, State::Choosing(_))) && !self.is_held_up()
    }

    /// Whether what the buyer has submitted is under way; follows the state.
    pub(crate) fn is_submitting(self) -> bool {
        self.with(|state| matches!(state, State::Submitting(..))) || self.is_held_up()
    }

    /// Reads the state, and follows its changes.
    pub(crate) fn with<T>(self, read: impl FnOnce(&State) -> T) -> T {
        self.state.read(read)
    }

    /// Reads the configuration, and follows its changes.
    pub(crate) fn with_config<T>(self, read: impl FnOnce(&Config) -> T) -> T {
        self.config.read(|config| read(config))
    }

    /// What views say, and in which language.
    pub(crate) fn speech(self) -> Speech {
        self.speech
    }

    /// The wallets in the buyer's browser.
    pub(crate) fn wallets(self) -> Wallets {
        self.wallets
    }

    /// The language to write numbers in.
    pub(crate) fn locale(self) -> String {
        let set = self.with_config(|config| config.locale.clone());
        set.or_else(|| Some(language(&self.parts()?.host)))
            .unwrap_or_default()
    }

    /// What effects need, for as long as the element is there.
    fn parts(self) -> Option<Rc<Parts>> {
        self.parts?.get()
    }

    fn execute(self, config: &Config, effect: Effect) {
        match effect {
            Effect::FetchTokens => {
                let Some(parts) = self.parts() else {
                    return;
                };
                let handed = parts.tokens.take();
                let asked = handed.unwrap_or_else(|| api::tokens(&parts.loader, &config.proxy));
                self.spawn(async move {
                    self.dispatch(Event::TokensFetched(fetch::handed(asked).await));
                });
            }
            Effect::Emit(event) => match *event {
                HostEvent::Ready(codes) => self.with_host(|host| host::tell_ready(host, &codes)),
                HostEvent::Error(failure) => self.with_host(|host| tell_failure(host, &failure)),
                event => self.execute_later(config, Effect::Emit(Box::new(event))),
            },
            effect => self.execute_later(config, effect),
        }
    }

    /// Executes what there is to do once the buyer has submitted.
    fn execute_later(self, config: &Config, effect: Effect) {
        if let Some(later) = later::loaded() {
            (later.execute)(self, config, effect);
        }
    }

    /// Runs a future that ends with the element.
    fn spawn(self, future: impl Future<Output = ()> + 'static) {
        if let Some(parts) = self.parts() {
            parts.owner.with(|| task::spawn(Box::pin(future)));
        }
    }

    /// Lends the element out, with nothing borrowed: the page may run in `with`.
    fn with_host(self, with: impl FnOnce(&HtmlElement)) {
        if let Some(parts) = self.parts() {
            with(&parts.host);
        }
    }
}
