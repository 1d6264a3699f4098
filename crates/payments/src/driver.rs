//! Holds the state of one element, and executes its effects.

mod effects;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use tender_element::event_stream::EventStream;
use tender_element::host::page_language;
use tender_element::{ElementContext, ElementState, page, storage};
use tender_payments_core::{Config, Dashboard, Event, Filter, MerchantKey, State};

/// A handle to the element: components read its state and dispatch events. Found by [`use_driver`].
#[derive(Clone, Copy)]
pub(crate) struct Driver {
    state: ElementState<Self>,
    element: ElementContext,
    resources: StoredValue<Resources, LocalStorage>,
}

/// What effects store for later effects.
#[derive(Default)]
struct Resources {
    /// The timer of the next poll.
    poll: Option<Timeout>,
    /// The timer of the next request for notifications.
    deliveries: Option<Timeout>,
    /// The proxy's event stream.
    stream: Option<EventStream>,
}

/// The driver of the current element.
///
/// # Panics
/// Outside of the element's components.
pub(crate) fn use_driver() -> Driver {
    expect_context()
}

/// The `sessionStorage` key under which the merchant key for this proxy is saved.
fn storage_key(proxy: &str) -> String {
    format!("tender-payments {proxy}")
}

impl Driver {
    /// A driver that belongs to the current owner.
    pub(crate) fn new(element: ElementContext, config: Config) -> Self {
        let driver = Self {
            state: ElementState::new(config, State::default()),
            element,
            resources: StoredValue::new_local(Resources::default()),
        };
        page::on_visibility_change(move |is_visible| {
            driver.dispatch(Event::VisibilityChanged(is_visible));
        });
        driver
    }

    /// Starts the element with the merchant key that is saved in the tab.
    pub(crate) fn start(self) {
        let read = |config: &Config| storage::read(&storage_key(&config.proxy));
        let key = self.state.config_untracked(read).flatten();
        let key = key.and_then(|key| MerchantKey::parse(&key));
        self.dispatch(Event::Started(key));
    }

    /// Applies an event to the state, and executes the effects. Does nothing once the element is
    /// unmounted.
    pub(crate) fn dispatch(self, event: Event) {
        self.state.dispatch(self, event);
    }

    /// Whether this is the configured proxy.
    pub(crate) fn has_proxy(self, proxy: &str) -> bool {
        self.state.config_untracked(|config| config.proxy == proxy) == Some(true)
    }

    /// Applies changed attributes with the same `proxy`.
    pub(crate) fn reconfigure(self, config: Config) {
        self.state.set_config(config);
    }

    /// Reads the state, and subscribes the current effect to it.
    pub(crate) fn with<T>(self, read: impl FnOnce(&State) -> T) -> T {
        self.state.with(read)
    }

    /// Reads the dashboard, and subscribes the current effect to it. An effect may run once more before its view is
    /// removed, when there is no dashboard any more; it reads one without payments then.
    pub(crate) fn with_dashboard<T>(self, read: impl FnOnce(&Dashboard) -> T) -> T {
        self.with(|state| match state {
            State::Ready(dashboard) => read(dashboard),
            State::Loading(_) | State::KeyRequired(_) | State::LoggedOut | State::Failed(..) => {
                read(&Dashboard::new(None))
            }
        })
    }

    /// A value that is derived from the dashboard, for effects that run only when the value changes.
    pub(crate) fn memo<T: PartialEq + Send + Sync + 'static>(
        self,
        read: impl Fn(&Dashboard) -> T + Send + Sync + 'static,
    ) -> Memo<T> {
        Memo::new(move |_| self.with_dashboard(&read))
    }

    /// Changes what the merchant searches for.
    pub(crate) fn change_filter(self, change: impl FnOnce(&mut Filter)) {
        let mut filter = untrack(|| self.with_dashboard(|dashboard| dashboard.filter.clone()));
        change(&mut filter);
        self.dispatch(Event::FilterChanged(filter));
    }

    /// The locale for numbers and dates. Reactive.
    pub(crate) fn locale(self) -> String {
        self.state
            .with_config(|config| config.locale.clone())
            .or_else(|| self.element.host.with(page_language))
            .unwrap_or_default()
    }
}

/// The latest value of `read`; `None` if it has none now. The value of something that is removed later stays as it was, until
/// the component that shows it is removed, too.
pub(crate) fn latest<T: Clone + PartialEq + Send + Sync + 'static>(
    read: impl Fn() -> Option<T> + Send + Sync + 'static,
) -> Option<Memo<T>> {
    let first = untrack(&read)?;
    Some(Memo::new(move |before: Option<&T>| {
        read().unwrap_or_else(|| before.unwrap_or(&first).clone())
    }))
}
