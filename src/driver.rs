//! Holds the state of one checkout, and executes its effects.

mod effects;

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use js_sys::Promise;
use leptos::prelude::*;
use tender_checkout_core::{
    AttemptKey, Config, Event, Form, FormEvent, Order, Phase, Reads, State, StatusEvent, Transfer,
};
use tender_element::event_stream::EventStream;
use tender_element::host::{log_error, log_warning, page_language};
use tender_element::{ElementContext, ElementState, date, page};
#[cfg(not(target_arch = "wasm32"))]
use tender_element::{I18n, Tasks, host::Host};

use crate::wallet::Wallets;
use crate::{host, session};

thread_local! {
    /// The plain orders of the running elements, by [`session::key`].
    static PLAIN_ORDERS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A handle to the checkout: components read its state and dispatch events. Found by [`use_driver`].
#[derive(Clone, Copy)]
pub(crate) struct Driver {
    state: ElementState<Self>,
    element: ElementContext,
    wallets: Wallets,
    resources: StoredValue<Resources, LocalStorage>,
}

/// What the loader has requested from the proxy: promises of `{ status, body }`.
#[derive(Default)]
pub(crate) struct Loading {
    /// The token listing.
    pub(crate) tokens: Option<Promise>,
    /// The payment of the signed order.
    pub(crate) payment: Option<Promise>,
}

/// What effects store for later effects.
#[derive(Default)]
struct Resources {
    /// What the loader has requested, until it is used.
    loading: Loading,
    /// The timer of the next poll.
    poll: Option<Timeout>,
    /// The event stream of the payment.
    stream: Option<EventStream>,
    /// What this element has saved in `sessionStorage`.
    saved: Option<String>,
    /// The number of records that arrived for the payment, and when the latest one did.
    last_read: (Option<u32>, String),
}

/// The driver of the current checkout.
///
/// # Panics
/// Outside of a checkout's components.
pub(crate) fn use_driver() -> Driver {
    expect_context()
}

impl Driver {
    /// A driver that belongs to the current owner.
    pub(crate) fn new(element: ElementContext, config: Config, loading: Loading) -> Self {
        let driver = Self {
            state: ElementState::new(config, State::default()),
            element,
            wallets: Wallets::new(),
            resources: StoredValue::new_local(Resources {
                loading,
                ..Resources::default()
            }),
        };
        driver.log_warnings();
        driver.warn_of_shared_order();
        page::on_visibility_change(move |is_visible| {
            driver.dispatch(if is_visible {
                StatusEvent::PageSeen
            } else {
                StatusEvent::PageHidden
            });
        });
        driver
    }

    /// A driver that only shows a state, for a view that is rendered without a page. Belongs to the current owner.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn of_state(i18n: I18n, config: Config, state: State) -> Self {
        Self {
            state: ElementState::new(config, state),
            element: ElementContext {
                host: Host::none(),
                i18n,
                tasks: Tasks::new(),
            },
            wallets: Wallets::new(),
            resources: StoredValue::new_local(Resources::default()),
        }
    }

    /// Starts the checkout with the state that the tab has saved.
    pub(crate) fn start(self) {
        let saved = self.state.config_untracked(session::read).flatten();
        self.dispatch(Event::Started(saved));
        // What was not needed at once will be out of date later.
        self.resources
            .try_update_value(|resources| resources.loading = Loading::default());
    }

    /// Applies an event to the state, and executes the effects. Does nothing once the element is unmounted.
    pub(crate) fn dispatch(self, event: impl Into<Event>) {
        self.state.dispatch(self, event.into());
    }

    /// Submits the form. A new attempt gets a random key. If another element of the page has begun a payment of the same
    /// order, this one shows that payment instead of creating a second one.
    pub(crate) fn submit(self) {
        if let Some(other) = self.saved_by_another() {
            self.dispatch(FormEvent::SavedElsewhere(other));
        }
        match host::random_key() {
            Ok(key) => self.dispatch(FormEvent::Submitted(AttemptKey(key))),
            Err(error) => {
                self.element.host.with(|host| log_error(host, &error));
            }
        }
    }

    /// What another element with the same order has saved.
    fn saved_by_another(self) -> Option<String> {
        let saved = self.state.config_untracked(session::read).flatten()?;
        let is_own = |resources: &Resources| resources.saved.as_ref() == Some(&saved);
        let is_own = self.resources.try_with_value(is_own);
        (is_own == Some(false)).then_some(saved)
    }

    /// Whether `config` has the same order and the same proxy.
    pub(crate) fn has_order_of(self, config: &Config) -> bool {
        let is_same = |now: &Config| now.proxy == config.proxy && now.order == config.order;
        self.state.config_untracked(is_same) == Some(true)
    }

    /// Applies changed attributes of the same order.
    pub(crate) fn reconfigure(self, config: Config) {
        let before = self
            .state
            .config_untracked(|now| (!now.offers_same(&config)).then(|| Form::new(now)));
        self.state.set_config(config);
        self.log_warnings();
        if let Some(before) = before.flatten() {
            self.dispatch(Event::Reconfigured(Box::new(before)));
        }
    }

    /// Reads the state, and subscribes the current effect to it.
    pub(crate) fn with<T>(self, read: impl FnOnce(&State) -> T) -> T {
        self.state.with(read)
    }

    /// Reads the configuration, and subscribes the current effect to it.
    pub(crate) fn with_config<T>(self, read: impl FnOnce(&Config) -> T) -> T {
        self.state.with_config(read)
    }

    /// The shop's number of the order. Another order has another driver, so nothing subscribes to it.
    pub(crate) fn invoice(self) -> String {
        let number = |config: &Config| config.order.claims().invoice_number.clone();
        self.state.config_untracked(number).unwrap_or_default()
    }

    /// The way back to the shop, if the order has one.
    pub(crate) fn return_url(self) -> Option<String> {
        let url = |config: &Config| config.order.return_url().map(ToOwned::to_owned);
        self.state.config_untracked(url).flatten()
    }

    /// A value that is derived from the state, for effects that run only when the value changes.
    pub(crate) fn memo<T: PartialEq + Send + Sync + 'static>(self, read: fn(Self) -> T) -> Memo<T> {
        // A function pointer, not a closure: this is compiled once for each type of value.
        Memo::new(move |_| read(self))
    }

    /// Whether the submitted form is being processed. Reactive.
    pub(crate) fn is_submitting(self) -> bool {
        self.with(|state| matches!(state.phase, Phase::Submitting(..)))
    }

    /// The locale for numbers. Reactive.
    pub(crate) fn locale(self) -> String {
        self.with_config(|config| config.locale.clone())
            .or_else(|| self.element.host.with(page_language))
            .unwrap_or_default()
    }

    /// The address of the order's payment page, if the shop's page links to it.
    pub(crate) fn pay_page(self) -> Option<String> {
        let order = self.state.config_untracked(|config| match &config.order {
            Order::Signed { jwt, .. } => Some(jwt.clone()),
            Order::Plain(_) => None,
        });
        let order = order.flatten()?;
        self.element
            .host
            .with(|host| host::pay_page(host, &order))?
    }

    /// When the latest record of the payment arrived (RFC 3339). Not reactive.
    pub(crate) fn last_read(self) -> String {
        let time = |resources: &Resources| resources.last_read.1.clone();
        self.resources.try_with_value(time).unwrap_or_default()
    }

    /// Notes the time if a record has arrived.
    fn note_read(self, state: &State) {
        let reads = State::payment(state).map(|payment| payment.following.reads);
        let number = reads.map(Reads::succeeded);
        self.resources.try_update_value(|resources| {
            if resources.last_read.0 != number {
                resources.last_read = (number, date::now());
            }
        });
    }

    /// The wallets in the buyer's browser.
    pub(crate) fn wallets(self) -> Wallets {
        self.wallets
    }

    /// Discovers wallets that can make this transfer, until the current owner is cleaned up. The shop's wallet is read again when
    /// the page sets it, or an attribute.
    pub(crate) fn discover_wallets(self, transfer: Transfer) {
        let is_evm = matches!(transfer, Transfer::Evm(_));
        // Both run code of the page. An effect runs later, when no signal is being read.
        Effect::new(move || {
            self.with_config(|_| ());
            if is_evm {
                let host = self.element.host;
                host.with(|host| untrack(|| self.wallets.set_shop_s(host)));
            }
        });
        Effect::new(move || untrack(|| self.wallets.discover(&transfer)));
    }

    /// Warns the shop's developer if another element of the page has the same plain order: see [`Self::submit`].
    fn warn_of_shared_order(self) {
        let plain = |config: &Config| {
            let is_plain = matches!(config.order, Order::Plain(_));
            is_plain.then(|| session::key(config))
        };
        let Some(key) = self.state.config_untracked(plain).flatten() else {
            return;
        };
        let is_shared = PLAIN_ORDERS.with_borrow_mut(|orders| {
            let is_shared = orders.contains(&key);
            orders.push(key.clone());
            is_shared
        });
        on_cleanup(move || {
            PLAIN_ORDERS.with_borrow_mut(|orders| {
                let own = orders.iter().position(|order| *order == key);
                own.map(|own| orders.swap_remove(own))
            });
        });
        if is_shared {
            let warning = "another element of this page has the same `invoice-number`, so they share one payment; give each \
                           order a number of its own";
            self.element.host.with(|host| log_warning(host, warning));
        }
    }

    fn log_warnings(self) {
        let warnings = self
            .state
            .config_untracked(|config| config.warnings.clone());
        self.element.host.with(|host| {
            for warning in warnings.unwrap_or_default() {
                log_warning(host, &warning);
            }
        });
    }
}
