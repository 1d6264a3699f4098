//! One mounted element.

use js_sys::Promise;
use tender_checkout_core::{Config, ConfigError, Event};
use tender_element::Handle;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::Loader;
use crate::driver::Driver;
use crate::{host, view};

/// Makes a checkout for `card`, the frame that the loader made inside the shadow root of `host`;
/// [`Checkout::show`] shows it.
///
/// `tokens` is a promise of the token listing's `{ status, body }`, which the loader has already
/// asked for; `texts` one of the texts of `language`, which English does not need. The checkout
/// lives until the handle is freed.
#[wasm_bindgen]
#[must_use]
pub fn mount(
    host: HtmlElement,
    card: HtmlElement,
    language: String,
    texts: Option<Promise>,
    tokens: Option<Promise>,
    loader: Loader,
) -> Checkout {
    let config = host::config(&host);
    let checkout = Checkout {
        handle: Handle::new(host, card, language, texts),
        loader,
    };
    checkout.make(config, tokens);
    checkout
}

/// The handle of one mounted element. Freeing it ends its timers, requests and views.
#[wasm_bindgen]
pub struct Checkout {
    handle: Handle<Driver>,
    loader: Loader,
}

#[wasm_bindgen]
impl Checkout {
    /// Shows what was made, and begins.
    pub fn show(&self) {
        if let Some(driver) = self.handle.show() {
            driver.start();
        }
    }

    /// Reads the attributes again. Another order begins anew, and so does a change that makes the
    /// attributes wrong or right.
    pub fn update(&self) {
        match (self.handle.driver(), host::config(self.handle.host())) {
            (Some(driver), Ok(config)) if driver.has_order_of(&config) => {
                driver.reconfigure(config);
            }
            (_, config) => {
                self.make(config, None);
                self.show();
            }
        }
    }

    /// Speaks another language, or says what the shop has set in its `texts` attribute.
    pub fn speak(&self, language: String, texts: Option<Promise>) {
        self.handle.speak(language, texts);
    }

    /// Looks after the latest status, or tries again to load the tokens.
    pub fn refresh(&self) {
        self.dispatch(Event::Refreshed);
    }

    /// Goes back to the choice.
    pub fn reset(&self) {
        self.dispatch(Event::Reset);
    }
}

impl Checkout {
    fn make(&self, config: Result<Config, ConfigError>, tokens: Option<Promise>) {
        let make =
            |host, speech, config| Driver::new(host, speech, config, tokens, self.loader.clone());
        self.handle.make(config, make, view::checkout);
    }

    fn dispatch(&self, event: Event) {
        if let Some(driver) = self.handle.driver() {
            driver.dispatch(event);
        }
    }
}
