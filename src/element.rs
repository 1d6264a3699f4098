//! One mounted element.

use std::cell::RefCell;

use js_sys::Promise;
use tender_core::{Event, Failure, FailureCode};
use tender_element::Frame;
use tender_element::host::{complain, tell_failure};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::driver::Driver;
use crate::host;
use crate::view;

/// Shows a checkout in `card`, the frame that the loader made inside the shadow root of `host`.
///
/// `tokens` is a promise of the `Response` with the token listing, which the loader has already
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
) -> Checkout {
    let checkout = Checkout {
        host,
        card,
        speech: RefCell::new((language, texts)),
        running: RefCell::default(),
    };
    checkout.start(tokens);
    checkout
}

/// The handle of one mounted element. Freeing it ends its timers, requests and views.
#[wasm_bindgen]
pub struct Checkout {
    host: HtmlElement,
    card: HtmlElement,
    /// The language to speak, and the promise of its texts.
    speech: RefCell<(String, Option<Promise>)>,
    /// `None` where the attributes make no checkout.
    running: RefCell<Option<Frame<Driver>>>,
}

/// The methods take `&self` and let go of `running` before anything of the page can run, which
/// may call them again.
#[wasm_bindgen]
impl Checkout {
    /// Reads the attributes again. Another order begins anew, and so does a change that makes the
    /// attributes wrong or right.
    pub fn update(&self) {
        match (self.driver(), host::config(&self.host)) {
            (Some(driver), Ok(config)) if driver.has_order_of(&config) => {
                driver.reconfigure(config);
            }
            _ => self.start(None),
        }
    }

    /// Speaks another language, or says what the shop has set in its `texts` attribute.
    pub fn speak(&self, language: String, texts: Option<Promise>) {
        self.speech.replace((language.clone(), texts.clone()));
        if let Some(driver) = self.driver() {
            driver.speak(language, texts);
        }
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
    fn start(&self, tokens: Option<Promise>) {
        drop(self.running.take());
        let config = host::config(&self.host);
        let fallback = config.is_err();
        // Where this fails the frame stays as it is, and nothing else depends on it.
        let _ = self
            .card
            .toggle_attribute_with_force("data-fallback", fallback);
        match config {
            Ok(config) => {
                let host = self.host.clone();
                let make = || {
                    let driver = Driver::new(host, config, tokens);
                    driver.watch_page();
                    driver
                };
                let frame = Frame::new(&self.card, make, view::checkout);
                let driver = frame.driver;
                self.running.replace(Some(frame));
                let (language, texts) = self.speech.borrow().clone();
                driver.speak(language, texts);
                driver.start();
            }
            Err(error) => {
                let failure = Failure::new(FailureCode::ConfigInvalid, error.to_string());
                complain(&self.host, &failure.message);
                tell_failure(&self.host, &failure);
            }
        }
    }

    fn driver(&self) -> Option<Driver> {
        self.running.borrow().as_ref().map(|running| running.driver)
    }

    fn dispatch(&self, event: Event) {
        if let Some(driver) = self.driver() {
            driver.dispatch(event);
        }
    }
}
