//! A mounted element, as its loader holds it.

use std::cell::RefCell;
use std::fmt::Display;

use js_sys::Promise;
use tender_client::{Failure, FailureCode};
use web_sys::HtmlElement;

use crate::dom::El;
use crate::frame::{self, Frame};
use crate::host::{complain, tell_failure};
use crate::speech::Speech;

/// What every element's handle holds. Dropping it ends the element's timers, requests and views.
///
/// The methods take `&self` and let go of `running` before anything of the page can run, which
/// may call them again.
pub struct Handle<Driver> {
    host: HtmlElement,
    card: HtmlElement,
    /// The language to speak, and the promise of its texts.
    speech: RefCell<(String, Option<Promise>)>,
    /// `None` where the attributes make no element.
    running: RefCell<Option<Frame<Driver>>>,
}

impl<Driver: Copy> Handle<Driver> {
    /// Shows nothing yet.
    #[must_use]
    pub fn new(
        host: HtmlElement,
        card: HtmlElement,
        language: String,
        texts: Option<Promise>,
    ) -> Self {
        Self {
            host,
            card,
            speech: RefCell::new((language, texts)),
            running: RefCell::default(),
        }
    }

    /// The element.
    #[must_use]
    pub fn host(&self) -> &HtmlElement {
        &self.host
    }

    /// What holds the element's state, where the attributes make one.
    #[must_use]
    pub fn driver(&self) -> Option<Driver> {
        self.running.borrow().as_ref().map(|running| running.driver)
    }

    /// Makes anew what [`Handle::show`] shows: the driver that `make` makes of what the attributes say, and its view,
    /// which hears whether the focus is in what it will replace. Where they say nothing that makes an element, the
    /// page is told, and shows its fallback.
    pub fn make<Config>(
        &self,
        config: Result<Config, impl Display>,
        make: impl FnOnce(HtmlElement, Speech, Config) -> Driver,
        view: fn(Driver, bool) -> El,
    ) {
        drop(self.running.take());
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
        let (language, texts) = self.speech.borrow().clone();
        let make = |speech: Speech| {
            speech.speak(self.host.clone(), language, texts);
            make(self.host.clone(), speech, config)
        };
        let frame = Frame::new(&self.card, make, view);
        self.running.replace(Some(frame));
    }

    /// Shows what was made, the first time, and gives the driver, which is to begin. The loader asks for that in a task
    /// of its own: what makes an element and what shows it, in one task, would hold up the page around it.
    pub fn show(&self) -> Option<Driver> {
        let unshown = self.running.borrow().as_ref().and_then(Frame::unshown);
        let (view, driver) = unshown?;
        frame::show(&view, &self.card);
        Some(driver)
    }

    /// Speaks another language, or says what the page has set in its `texts` attribute.
    pub fn speak(&self, language: String, texts: Option<Promise>) {
        self.speech.replace((language.clone(), texts.clone()));
        let speech = self.running.borrow().as_ref().map(|frame| frame.speech);
        if let Some(speech) = speech {
            speech.speak(self.host.clone(), language, texts);
        }
    }
}
