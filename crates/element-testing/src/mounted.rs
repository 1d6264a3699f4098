//! An element in the test's page, used like a person and a page do: by roles and names, by
//! parts, and by events.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{JSON, Reflect};
use serde_json::Value;
use wasm_bindgen::prelude::*;
use web_sys::{CustomEvent, Element, Event, EventInit, HtmlElement, HtmlInputElement, ShadowRoot};

use crate::accessibility::{self, name};
use crate::subject::events_of;
use crate::wait::until;
use crate::{Subject, page};

/// The elements that can have a role. Chromium recomputes roles after each change, so asking every element would take
/// most of the suite's time.
pub const MEANINGFUL: &str = "a, button, details, fieldset, form, h1, h2, h3, img, input, label, \
     section, select, summary, textarea, [role], [aria-label], [aria-labelledby]";

/// An element in the page. Dropping it removes the element.
pub struct Mounted {
    pub element: HtmlElement,
    /// The events so far: name and detail.
    events: Rc<RefCell<Vec<(String, Value)>>>,
    names: Vec<String>,
    listener: Closure<dyn FnMut(CustomEvent)>,
}

impl Mounted {
    /// An element with these attributes and the page's fallback, not inserted yet.
    pub fn make(subject: &Subject, attributes: &[(&str, &str)]) -> Self {
        subject.open();
        let element = page::document().create_element(subject.tag).unwrap();
        let mounted = Self::of(element.unchecked_into());
        for (name, value) in attributes {
            mounted.set(name, value);
        }
        let fallback = page::document().create_element("a").unwrap();
        fallback.set_attribute("href", "/pay/INV-7").unwrap();
        fallback.set_text_content(Some("Pay another way"));
        mounted.element.append_child(&fallback).unwrap();
        mounted
    }

    /// An element that was inserted by other means.
    pub fn of(element: HtmlElement) -> Self {
        let events = Rc::new(RefCell::new(Vec::new()));
        let listener = {
            let events = Rc::clone(&events);
            Closure::new(move |event: CustomEvent| {
                let detail = String::from(JSON::stringify(&event.detail()).unwrap());
                let detail = serde_json::from_str(&detail).unwrap();
                events.borrow_mut().push((event.type_(), detail));
            })
        };
        let mounted = Self {
            names: events_of(&element.local_name()).into_keys().collect(),
            element,
            events,
            listener,
        };
        for name in &mounted.names {
            let listener = mounted.listener.as_ref().unchecked_ref();
            mounted
                .element
                .add_event_listener_with_callback(name, listener)
                .unwrap();
        }
        mounted
    }

    pub fn insert(&self) {
        page::body().append_child(&self.element).unwrap();
    }

    pub fn remove(&self) {
        self.element.remove();
    }

    pub fn set(&self, attribute: &str, value: &str) {
        self.element.set_attribute(attribute, value).unwrap();
    }

    pub fn unset(&self, attribute: &str) {
        self.element.remove_attribute(attribute).unwrap();
    }

    /// A property of the element.
    pub fn property(&self, name: &str) -> JsValue {
        Reflect::get(&self.element, &name.into()).unwrap()
    }

    pub fn set_property(&self, name: &str, value: impl Into<JsValue>) {
        Reflect::set(&self.element, &name.into(), &value.into()).unwrap();
    }

    /// Calls a method of the element.
    pub fn call(&self, method: &str) {
        let method: js_sys::Function = self.property(method).unchecked_into();
        method.call0(&self.element).unwrap();
    }

    // --- Reading --------------------------------------------------------------------------------

    pub fn root(&self) -> ShadowRoot {
        self.element.shadow_root().unwrap()
    }

    /// The matching elements in the shadow tree, in tree order.
    pub fn all(&self, selector: &str) -> Vec<Element> {
        let found = self.root().query_selector_all(selector).unwrap();
        (0..found.length())
            .map(|index| found.get(index).unwrap().unchecked_into())
            .collect()
    }

    /// The elements of a part.
    pub fn parts(&self, part: &str) -> Vec<Element> {
        self.all(&format!("[part~='{part}']"))
    }

    /// The only element of a part.
    pub fn part(&self, part: &str) -> Element {
        let mut found = self.parts(part);
        assert_eq!(found.len(), 1, "one part {part} in: {}", self.text());
        found.remove(0)
    }

    pub fn has_part(&self, part: &str) -> bool {
        !self.parts(part).is_empty()
    }

    /// The elements with this role in the accessibility tree.
    pub fn role(&self, role: &str) -> Vec<Element> {
        let mut found = self.all(MEANINGFUL);
        found.retain(|element| accessibility::role(element) == role);
        found
    }

    /// The names of the elements with this [`role`](Self::role).
    pub fn names(&self, role: &str) -> Vec<String> {
        let found = self.role(role);
        found.iter().map(name).collect()
    }

    /// The only element with this role whose name begins like this.
    pub fn named(&self, role: &str, beginning: &str) -> HtmlElement {
        let mut found = self.role(role);
        found.retain(|element| name(element).starts_with(beginning));
        assert_eq!(
            found.len(),
            1,
            "one {role} {beginning:?} among {:?} in: {}",
            self.names(role),
            self.text()
        );
        found.remove(0).unchecked_into()
    }

    /// The visible text of the card.
    pub fn text(&self) -> String {
        let card: HtmlElement = self.part("card").unchecked_into();
        card.inner_text()
    }

    /// The lines of the visible [`text`](Self::text). Engines differ in the blank lines between them.
    pub fn lines(&self) -> Vec<String> {
        let text = self.text();
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.map(str::to_owned).collect()
    }

    /// Whether the fallback is visible.
    pub fn shows_fallback(&self) -> bool {
        shows_fallback(&self.element)
    }

    /// Whether anything of the element itself is visible.
    pub fn shows_card(&self) -> bool {
        is_seen(&self.part("card"))
    }

    // --- Actions --------------------------------------------------------------------------------

    /// Types into the field with this name.
    pub fn fill(&self, name: &str, text: &str) {
        type_into(&self.named("textbox", name), text);
    }

    pub fn press(&self, name: &str) {
        self.named("button", name).click();
    }

    // --- Waiting --------------------------------------------------------------------------------

    pub async fn until_part(&self, part: &str) {
        until(&format!("part {part} is shown"), || self.has_part(part)).await;
    }

    pub async fn until_event(&self, event: &str) {
        until(&format!("{event} is dispatched"), || {
            !self.details_of(event).is_empty()
        })
        .await;
    }

    pub async fn until_shown(&self, text: &str) {
        until(&format!("{text:?} is shown"), || self.text().contains(text)).await;
    }

    // --- Events ---------------------------------------------------------------------------------

    /// The details of all events with this name.
    pub fn details_of(&self, event: &str) -> Vec<Value> {
        let events = self.events.borrow();
        let these = events.iter().filter(|(name, _)| name == event);
        these.map(|(_, detail)| detail.clone()).collect()
    }

    /// Forgets the events so far.
    pub fn clear_events(&self) {
        self.events.take();
    }

    /// The names of all events, in order.
    pub fn event_names(&self) -> Vec<String> {
        let events = self.events.borrow();
        events.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// Types into a field.
pub fn type_into(field: &HtmlElement, text: &str) {
    field.unchecked_ref::<HtmlInputElement>().set_value(text);
    let init = EventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    let event = Event::new_with_event_init_dict("input", &init).unwrap();
    field.dispatch_event(&event).unwrap();
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.element.remove();
        for name in &self.names {
            let listener = self.listener.as_ref().unchecked_ref();
            // A removed element dispatches no more events.
            let _ = self
                .element
                .remove_event_listener_with_callback(name, listener);
        }
    }
}

/// Whether the children of an element are visible.
pub fn shows_fallback(element: &Element) -> bool {
    element
        .first_element_child()
        .is_some_and(|child| is_seen(&child))
}

/// Whether an element takes up space in the page.
pub fn is_seen(element: &Element) -> bool {
    element.get_client_rects().length() > 0
}
