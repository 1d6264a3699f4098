//! An element in the test's page, used like a person and a page do: by roles and names, by
//! parts, and by events.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{JSON, Reflect};
use serde_json::Value;
use wasm_bindgen::prelude::*;
use web_sys::{CustomEvent, Element, Event, EventInit, HtmlElement, HtmlInputElement, ShadowRoot};

use crate::accessibility::{self, name};
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
}

impl Mounted {
    /// An element with these attributes and the page's fallback, not inserted yet.
    pub fn make(subject: &Subject, attributes: &[(&str, &str)]) -> Self {
        subject.open();
        let element = page::document().create_element(subject.tag).unwrap();
        let mounted = Self {
            element: element.unchecked_into(),
            events: Rc::default(),
        };
        for name in subject.events().into_keys() {
            let events = Rc::clone(&mounted.events);
            mounted.on(&name, move |event| {
                let detail = String::from(JSON::stringify(&event.detail()).unwrap());
                let detail = serde_json::from_str(&detail).unwrap();
                events.borrow_mut().push((event.type_(), detail));
            });
        }
        for (name, value) in attributes {
            mounted.set(name, value);
        }
        let fallback = page::document().create_element("a").unwrap();
        fallback.set_attribute("href", "/pay/INV-7").unwrap();
        fallback.set_text_content(Some("Pay another way"));
        mounted.element.append_child(&fallback).unwrap();
        mounted
    }

    /// Calls the listener for each event of this name.
    pub fn on(&self, event: &str, listener: impl FnMut(CustomEvent) + 'static) {
        let listener = Closure::<dyn FnMut(CustomEvent)>::new(listener).into_js_value();
        self.element
            .add_event_listener_with_callback(event, listener.unchecked_ref())
            .unwrap();
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
        call(&self.element, method);
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

    /// The first matching element in the shadow tree.
    pub fn first(&self, selector: &str) -> HtmlElement {
        let mut found = self.all(selector);
        assert!(!found.is_empty(), "{selector} in: {}", self.text());
        found.remove(0).unchecked_into()
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

    /// The text of the only element of a part.
    pub fn text_of(&self, part: &str) -> String {
        self.part(part).text_content().unwrap()
    }

    /// An attribute of the only element of a part.
    pub fn attribute(&self, part: &str, name: &str) -> Option<String> {
        self.part(part).get_attribute(name)
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

    pub fn has_button(&self, name: &str) -> bool {
        self.names("button").iter().any(|button| button == name)
    }

    /// The text of the only alert.
    pub fn alert(&self) -> String {
        let alerts = self.role("alert");
        assert_eq!(alerts.len(), 1, "one alert in: {}", self.text());
        alerts[0].text_content().unwrap()
    }

    /// The element with the focus in the shadow tree.
    pub fn focused(&self) -> Option<Element> {
        self.root().active_element()
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

    /// Presses the only control of a part. Twenty rows have some hundred controls, and computing the name of each takes
    /// long.
    pub fn press_part(&self, part: &str) {
        self.part(part).unchecked_into::<HtmlElement>().click();
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

    /// Waits until an element that matches this selector has the focus.
    pub async fn until_focused(&self, selector: &str) {
        until(&format!("{selector} has the focus"), || {
            let focused = self.focused();
            focused.is_some_and(|focused| focused.matches(selector).unwrap())
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

    /// The code of the first `tender-error`.
    pub fn error_code(&self) -> Value {
        self.details_of("tender-error")[0]["code"].clone()
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
    }
}

/// Calls a method of an element.
pub fn call(element: &Element, method: &str) {
    let method = Reflect::get(element, &method.into()).unwrap();
    let method: js_sys::Function = method.unchecked_into();
    method.call0(element).unwrap();
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
