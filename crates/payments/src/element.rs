//! One mounted element.

use std::cell::RefCell;

use js_sys::Promise;
use tender_client::{Failure, FailureCode};
use tender_element::host::{complain, tell_failure};
use tender_element::{Frame, storage};
use tender_merchant::{Event, Key};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::driver::{Driver, key_name};
use crate::{host, view};

/// Shows the payments in `card`, the frame that the loader made inside the shadow root of `host`.
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
    let payments = Payments {
        host,
        card,
        speech: RefCell::new((language, texts)),
        running: RefCell::default(),
    };
    payments.start();
    payments
}

/// The handle of one mounted element. Freeing it ends its timers, requests and views.
#[wasm_bindgen]
pub struct Payments {
    host: HtmlElement,
    card: HtmlElement,
    /// The language to speak, and the promise of its texts.
    speech: RefCell<(String, Option<Promise>)>,
    /// `None` where the attributes make no element.
    running: RefCell<Option<Frame<Driver>>>,
}

/// The methods take `&self` and let go of `running` before anything of the page can run, which
/// may call them again.
#[wasm_bindgen]
impl Payments {
    /// Reads the attributes again. Another proxy begins anew.
    pub fn update(&self) {
        match (self.driver(), host::config(&self.host)) {
            (Some(driver), Ok(config)) if driver.is_at(&config.proxy) => driver.reconfigure(config),
            _ => self.start(),
        }
    }

    /// Speaks another language, or says what the page has set in its `texts` attribute.
    pub fn speak(&self, language: String, texts: Option<Promise>) {
        self.speech.replace((language.clone(), texts.clone()));
        if let Some(driver) = self.driver() {
            driver.speak(language, texts);
        }
    }

    /// Looks at what is new, or tries again to read the list.
    pub fn refresh(&self) {
        if let Some(driver) = self.driver() {
            driver.dispatch(Event::Refreshed);
        }
    }
}

impl Payments {
    fn start(&self) {
        drop(self.running.take());
        let config = host::config(&self.host);
        // Where this fails the frame stays as it is, and nothing else depends on it.
        let _ = self
            .card
            .toggle_attribute_with_force("data-fallback", config.is_err());
        let config = match config {
            Ok(config) => config,
            Err(error) => {
                let failure = Failure::new(FailureCode::ConfigInvalid, error.to_string());
                complain(&self.host, &failure.message);
                tell_failure(&self.host, &failure);
                return;
            }
        };
        let key = storage::read(&key_name(&config.proxy)).and_then(|key| Key::read(&key));
        let host = self.host.clone();
        let make = || {
            let driver = Driver::new(host, config);
            driver.watch_page();
            driver
        };
        let frame = Frame::new(&self.card, make, view::payments);
        let driver = frame.driver;
        self.running.replace(Some(frame));
        let (language, texts) = self.speech.borrow().clone();
        driver.speak(language, texts);
        driver.dispatch(Event::Started(key));
    }

    fn driver(&self) -> Option<Driver> {
        self.running.borrow().as_ref().map(|running| running.driver)
    }
}
