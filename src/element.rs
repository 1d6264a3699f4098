//! One mounted element.

use js_sys::Promise;
use leptos::prelude::*;
use tender_checkout_core::{Config, ConfigError, Event};
use tender_element::Mounted;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::components::Checkout;
use crate::driver::{Driver, Loading};
use crate::host;

/// The styles of what the form does not show. The loader adds them to its own, with which the form is shown.
#[wasm_bindgen]
pub fn style() -> String {
    include_str!(concat!(env!("OUT_DIR"), "/styles.css")).to_owned()
}

/// Mounts a checkout into `card`, the element that the loader created in the shadow root of `host`. It stays mounted until
/// the handle is freed.
///
/// `locale` is the locale of the texts, and `texts` a promise of its locale file; English needs none. `tokens` and `payment`
/// are promises of the `{ status, body }` of the token listing and of the order's payment, if the loader has requested them.
#[wasm_bindgen]
#[must_use]
pub fn mount(
    host: HtmlElement,
    card: HtmlElement,
    locale: String,
    texts: Option<Promise>,
    tokens: Option<Promise>,
    payment: Option<Promise>,
) -> CheckoutHandle {
    let handle = CheckoutHandle(Mounted::new(host, card, locale, texts));
    let loading = Loading { tokens, payment };
    handle.start(host::config(handle.0.host()), loading);
    handle
}

/// The handle of one mounted checkout. Freeing it ends its timers, requests and views.
#[wasm_bindgen]
pub struct CheckoutHandle(Mounted<Driver>);

#[wasm_bindgen]
impl CheckoutHandle {
    /// Reads the attributes again. Changing `proxy` or the order restarts the checkout.
    pub fn update(&self) {
        match (self.0.driver(), host::config(self.0.host())) {
            (Some(driver), Ok(config)) if driver.has_order_of(&config) => {
                driver.reconfigure(config);
            }
            (_, config) => self.start(config, Loading::default()),
        }
    }

    /// Changes the locale, or applies a changed `texts` attribute.
    pub fn set_locale(&self, locale: String, texts: Option<Promise>) {
        self.0.set_locale(locale, texts);
    }

    /// Fetches the latest status, or tries again to load the tokens.
    pub fn refresh(&self) {
        self.dispatch(Event::Refreshed);
    }

    /// Returns to the form.
    pub fn reset(&self) {
        self.dispatch(Event::Reset);
    }
}

impl CheckoutHandle {
    fn start(&self, config: Result<Config, ConfigError>, loading: Loading) {
        let driver = |element, config| Driver::new(element, config, loading);
        let view = |driver: Driver| {
            provide_context(driver);
            view! { <Checkout/> }.into_any()
        };
        if let Some(driver) = self.0.start(config, driver, view) {
            driver.start();
        }
    }

    fn dispatch(&self, event: Event) {
        if let Some(driver) = self.0.driver() {
            driver.dispatch(event);
        }
    }
}
