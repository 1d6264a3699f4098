//! One mounted element.

use std::cell::{Cell, RefCell};

use js_sys::Promise;
use leptos::prelude::{Owner, mount_to};
use tender_core::{Event, Failure, FailureCode, HostEvent};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, ShadowRoot};

use crate::driver::Driver;
use crate::host;
use crate::view;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// How many checkouts hold resources at the moment.
#[must_use]
pub fn live_checkouts() -> usize {
    LIVE.get()
}

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
    tokens: Option<Promise>,
    language: String,
    texts: Option<Promise>,
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
    running: RefCell<Option<Running>>,
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
                let running = Running::new(&self.host, &self.card, config, tokens);
                let driver = running.driver;
                self.running.replace(Some(running));
                let (language, texts) = self.speech.borrow().clone();
                driver.speak(language, texts);
                driver.start();
            }
            Err(error) => {
                let failure = Failure::new(FailureCode::ConfigInvalid, error.to_string());
                host::complain(&self.host, &failure.message);
                host::tell(&self.host, &HostEvent::Error(failure));
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

/// What a checkout holds while it is shown. Fields are dropped in their order: the views first,
/// then what they refer to.
struct Running {
    _view: Box<dyn std::any::Any>,
    driver: Driver,
    owner: Owner,
}

impl Running {
    fn new(
        host: &HtmlElement,
        card: &HtmlElement,
        config: tender_core::Config,
        tokens: Option<Promise>,
    ) -> Self {
        LIVE.set(LIVE.get() + 1);
        let has_focus = has_focus(card);
        card.replace_children_with_node(&js_sys::Array::new());
        let owner = Owner::new();
        let (driver, view) = owner.with(|| {
            let driver = Driver::new(host.clone(), config, tokens);
            driver.watch_page();
            let view = mount_to(card.clone(), move || view::checkout(driver, has_focus));
            (driver, view)
        });
        Self {
            _view: Box::new(view),
            driver,
            owner,
        }
    }
}

/// Whether the focus is in the card.
fn has_focus(card: &HtmlElement) -> bool {
    let root = card.get_root_node().dyn_into::<ShadowRoot>();
    let focused = root.ok().and_then(|root| root.active_element());
    focused.is_some_and(|focused| card.contains(Some(&focused)))
}

impl Drop for Running {
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
        self.owner.cleanup();
    }
}
