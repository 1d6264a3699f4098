//! One mounted element.

use js_sys::Promise;
use tender_element_legacy::Handle;
use tender_payments_core::{Config, ConfigError, Event};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::driver::Driver;
use crate::{host, view};

/// Makes the element for `card`, the frame that the loader made inside the shadow root of `host`;
/// [`Payments::show`] shows it.
///
/// `texts` is a promise of the texts of `language`, which English does not need. The element lives
/// until the handle is freed.
#[wasm_bindgen]
#[must_use]
pub fn mount(
    host: HtmlElement,
    card: HtmlElement,
    language: String,
    texts: Option<Promise>,
) -> Payments {
    let config = host::config(&host);
    let payments = Payments(Handle::new(host, card, language, texts));
    payments.make(config);
    payments
}

/// The handle of one mounted element. Freeing it ends its timers, requests and views.
#[wasm_bindgen]
pub struct Payments(Handle<Driver>);

#[wasm_bindgen]
impl Payments {
    /// Shows what was made, and begins.
    pub fn show(&self) {
        if let Some(driver) = self.0.show() {
            driver.start();
        }
    }

    /// Reads the attributes again. Another proxy begins anew.
    pub fn update(&self) {
        match (self.0.driver(), host::config(self.0.host())) {
            (Some(driver), Ok(config)) if driver.is_at(&config.proxy) => driver.reconfigure(config),
            (_, config) => {
                self.make(config);
                self.show();
            }
        }
    }

    /// Speaks another language, or says what the page has set in its `texts` attribute.
    pub fn speak(&self, language: String, texts: Option<Promise>) {
        self.0.speak(language, texts);
    }

    /// Looks at what is new, or tries again to read the list.
    pub fn refresh(&self) {
        if let Some(driver) = self.0.driver() {
            driver.dispatch(Event::RefreshRequested);
        }
    }
}

impl Payments {
    fn make(&self, config: Result<Config, ConfigError>) {
        self.0.make(config, Driver::new, view::payments);
    }
}
