//! One mounted element.

use js_sys::Promise;
use leptos::prelude::*;
use tender_element::Mounted;
use tender_payments_core::{Config, ConfigError, Event};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::components::PaymentsRoot;
use crate::driver::Driver;
use crate::host;

/// Mounts the element into `card`, which the loader created in the shadow root of `host`. It stays
/// mounted until the handle is freed.
///
/// `locale` is the locale of the texts, and `texts` a promise of its locale file; English needs none.
#[wasm_bindgen]
#[must_use]
pub fn mount(
    host: HtmlElement,
    card: HtmlElement,
    locale: String,
    texts: Option<Promise>,
) -> PaymentsHandle {
    let handle = PaymentsHandle(Mounted::new(host, card, locale, texts));
    handle.start(host::config(handle.0.host()));
    handle
}

/// The handle of one mounted element. Freeing it ends its timers, requests and views.
#[wasm_bindgen]
pub struct PaymentsHandle(Mounted<Driver>);

#[wasm_bindgen]
impl PaymentsHandle {
    /// Reads the attributes again. Changing `proxy` restarts the element.
    pub fn update(&self) {
        match (self.0.driver(), host::config(self.0.host())) {
            (Some(driver), Ok(config)) if driver.has_proxy(&config.proxy) => {
                driver.reconfigure(config);
            }
            (_, config) => self.start(config),
        }
    }

    /// Changes the locale, or applies a changed `texts` attribute.
    pub fn set_locale(&self, locale: String, texts: Option<Promise>) {
        self.0.set_locale(locale, texts);
    }

    /// Loads new payments, or tries again to load the list.
    pub fn refresh(&self) {
        if let Some(driver) = self.0.driver() {
            driver.dispatch(Event::RefreshRequested);
        }
    }
}

impl PaymentsHandle {
    fn start(&self, config: Result<Config, ConfigError>) {
        let view = |driver: Driver| {
            provide_context(driver);
            view! { <PaymentsRoot/> }.into_any()
        };
        if let Some(driver) = self.0.start(config, Driver::new, view) {
            driver.start();
        }
    }
}
