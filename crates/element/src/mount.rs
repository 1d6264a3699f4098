//! A mounted element.

use std::cell::{Cell, RefCell};
use std::fmt::Display;

use js_sys::Promise;
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use tender_protocol::client::{Failure, FailureCode};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot};

use crate::focus::FocusRestoration;
use crate::host::{Host, emit_error};
use crate::i18n::I18n;
use crate::locale::{LocaleLoader, RequestedLocale};
use crate::tasks::Tasks;

/// What every element has, as `Copy` handles that belong to its owner.
#[derive(Clone, Copy)]
pub struct ElementContext {
    /// The custom element.
    pub host: Host,
    /// Its texts.
    pub i18n: I18n,
    /// Its async tasks.
    pub tasks: Tasks,
}

thread_local! {
    static MOUNTED: Cell<usize> = const { Cell::new(0) };
}

/// The number of running elements.
pub fn mounted_count() -> usize {
    MOUNTED.get()
}

/// The content of an element's handle, with the operations that both elements offer to the loader. Dropping it ends the
/// element's timers, requests and views.
///
/// The methods take `&self`, and borrow nothing while code of the page can run, because that code may call them again.
pub struct Mounted<Driver> {
    host: HtmlElement,
    card: HtmlElement,
    locale: RefCell<RequestedLocale>,
    /// `None` while the attributes are invalid.
    running: RefCell<Option<Running<Driver>>>,
}

/// A running element. Dropping it first cleans up the owner (effects, timers, tasks), then removes the view.
struct Running<Driver> {
    _view: UnmountHandle<AnyViewState>,
    driver: Driver,
    locale: LocaleLoader,
    owner: Owner,
}

impl<Driver: Copy + 'static> Mounted<Driver> {
    /// An element without a view. `card` is the element in the shadow root that the view is rendered into.
    #[must_use]
    pub fn new(
        host: HtmlElement,
        card: HtmlElement,
        locale: String,
        texts: Option<Promise>,
    ) -> Self {
        Self {
            host,
            card,
            locale: RefCell::new(RequestedLocale { tag: locale, texts }),
            running: RefCell::default(),
        }
    }

    /// The custom element.
    pub fn host(&self) -> &HtmlElement {
        &self.host
    }

    /// The driver, if the attributes are valid.
    pub fn driver(&self) -> Option<Driver> {
        self.running.borrow().as_ref().map(|running| running.driver)
    }

    /// Starts the element again: creates a driver for the configuration and renders its view into the card. The driver is
    /// returned to be started. An invalid configuration emits `tender-error`, and shows the page's fallback.
    pub fn start<Config>(
        &self,
        config: Result<Config, impl Display>,
        driver: impl FnOnce(ElementContext, Config) -> Driver,
        view: impl FnOnce(Driver) -> AnyView + 'static,
    ) -> Option<Driver> {
        let before = self.running.take();
        let had_focus = contains_focus(&self.card);
        drop(before);
        // If this fails the card keeps its attribute, and nothing else depends on it.
        let _ = self
            .card
            .toggle_attribute_with_force("data-fallback", config.is_err());
        let config = match config {
            Ok(config) => config,
            Err(error) => {
                let failure = Failure::new(FailureCode::ConfigInvalid, error.to_string());
                emit_error(&self.host, &failure);
                return None;
            }
        };
        self.card.replace_children_with_node(&js_sys::Array::new());
        let owner = Owner::new();
        let running = owner.with(|| {
            let context = ElementContext {
                host: Host::new(self.host.clone()),
                i18n: I18n::new(),
                tasks: Tasks::new(),
            };
            let driver = driver(context, config);
            provide_context(context.i18n);
            provide_context(FocusRestoration::new(had_focus));
            let locale = LocaleLoader::new(context);
            locale.load(self.locale.borrow().clone());
            Running {
                _view: mount_to(self.card.clone(), move || view(driver)),
                driver,
                locale,
                owner: owner.clone(),
            }
        });
        MOUNTED.set(MOUNTED.get() + 1);
        let driver = running.driver;
        self.running.replace(Some(running));
        Some(driver)
    }

    /// Changes the locale, or applies a changed `texts` attribute. `texts` is a promise of the locale file's JSON;
    /// English needs none.
    pub fn set_locale(&self, locale: String, texts: Option<Promise>) {
        let locale = RequestedLocale { tag: locale, texts };
        self.locale.replace(locale.clone());
        let loader = self.running.borrow().as_ref().map(|running| running.locale);
        if let Some(loader) = loader {
            loader.load(locale);
        }
    }
}

impl<Driver> Drop for Running<Driver> {
    fn drop(&mut self) {
        MOUNTED.set(MOUNTED.get() - 1);
        self.owner.cleanup();
    }
}

/// Whether the focus is inside the card.
fn contains_focus(card: &HtmlElement) -> bool {
    let root = card.get_root_node().dyn_into::<ShadowRoot>();
    let focused = root.ok().and_then(|root| root.active_element());
    focused.is_some_and(|focused| card.contains(Some(&focused)))
}
