//! One `<tender-checkout>` in the test's page, used as a person and a shop use it: by roles and
//! names as the browser computes them, by the parts, by the events.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{JSON, Reflect};
use serde_json::Value;
use wasm_bindgen::prelude::*;
use web_sys::{CustomEvent, Element, Event, EventInit, HtmlElement, HtmlInputElement, ShadowRoot};

use super::proxy::{CREATE, Proxy, Reply};
use super::wait::{settled, until};
use super::{page, record};

/// The order that [`Checkout::open`] sets in plain attributes.
pub(crate) const ORDER: [(&str, &str); 3] = [
    ("token", "usdtt"),
    ("quantity", "12.50"),
    ("invoice-number", "INV-7"),
];

/// Every event of the element.
pub(crate) const EVENTS: [&str; 6] = [
    "tender-ready",
    "tender-created",
    "tender-status",
    "tender-transaction",
    "tender-cancelled",
    "tender-error",
];

/// What can have a role of its own. The browser computes it anew after each change, so that asking
/// every element would take most of the suite's time.
const MEANINGFUL: &str = "a, button, details, fieldset, form, h1, h2, h3, img, input, label, \
     section, select, summary, textarea, [role], [aria-label], [aria-labelledby]";

/// An element in the page. It leaves the page when it is dropped.
pub(crate) struct Checkout {
    pub(crate) element: HtmlElement,
    told: Rc<RefCell<Vec<(String, Value)>>>,
    listener: Closure<dyn FnMut(CustomEvent)>,
}

impl Checkout {
    /// An element with the plain [`ORDER`] at this proxy, and these attributes more.
    pub(crate) fn open(proxy: &Proxy, more: &[(&str, &str)]) -> Self {
        let checkout = Self::create(proxy, more);
        checkout.insert();
        checkout
    }

    /// The same, not in the page yet.
    pub(crate) fn create(proxy: &Proxy, more: &[(&str, &str)]) -> Self {
        Self::bare(&order(proxy, more))
    }

    /// The element of [`open`](Self::open) on the next page in this tab.
    pub(crate) fn reopen(proxy: &Proxy, more: &[(&str, &str)]) -> Self {
        let checkout = Self::make(&order(proxy, more));
        checkout.insert();
        checkout
    }

    /// An element with nothing but these attributes, not in the page yet, in a tab of its own.
    pub(crate) fn bare(attributes: &[(&str, &str)]) -> Self {
        page::session().clear().unwrap();
        Self::make(attributes)
    }

    fn make(attributes: &[(&str, &str)]) -> Self {
        page::open();
        let element = page::document().create_element("tender-checkout").unwrap();
        let checkout = Self::of(element.unchecked_into());
        for (name, value) in attributes {
            checkout.set(name, value);
        }
        let fallback = page::document().create_element("a").unwrap();
        fallback.set_attribute("href", "/pay/INV-7").unwrap();
        fallback.set_text_content(Some("Pay another way"));
        checkout.element.append_child(&fallback).unwrap();
        checkout
    }

    /// An element that came into the page by other means.
    pub(crate) fn of(element: HtmlElement) -> Self {
        let told = Rc::new(RefCell::new(Vec::new()));
        let listener = {
            let told = Rc::clone(&told);
            Closure::new(move |event: CustomEvent| {
                let detail = String::from(JSON::stringify(&event.detail()).unwrap());
                let detail = serde_json::from_str(&detail).unwrap();
                told.borrow_mut().push((event.type_(), detail));
            })
        };
        let checkout = Self {
            element,
            told,
            listener,
        };
        for name in EVENTS {
            let listener = checkout.listener.as_ref().unchecked_ref();
            checkout
                .element
                .add_event_listener_with_callback(name, listener)
                .unwrap();
        }
        checkout
    }

    /// Opens an element and waits until there is something to choose.
    pub(crate) async fn ready(proxy: &Proxy, more: &[(&str, &str)]) -> Self {
        let checkout = Self::open(proxy, more);
        checkout.until_ready().await;
        checkout
    }

    /// Opens an element and goes on to a payment in bitcoin, which the proxy answers with the
    /// record, and a `receipt` where there is one.
    pub(crate) async fn awaiting(proxy: &Proxy, receipt: Option<&str>) -> Self {
        let checkout = Self::ready(proxy, &[]).await;
        checkout.choose("Bitcoin, Bitcoin");
        proxy.reply(CREATE, Reply::ok(record::payment(receipt)));
        checkout.pay();
        checkout.until_part("amount").await;
        checkout
    }

    /// Goes on from the choice to a payment of 48.50000001 of a token, into this wallet.
    pub(crate) async fn pay_in(&self, proxy: &Proxy, token: &str, wallet: &str) {
        self.choose(token);
        let payment = record::payment(None)
            .replace("0.00012345", "48.50000001")
            .replace(record::WALLET, wallet);
        proxy.reply(CREATE, Reply::ok(payment));
        self.pay();
        self.until_part("amount").await;
        settled().await;
    }

    pub(crate) fn insert(&self) {
        page::body().append_child(&self.element).unwrap();
    }

    pub(crate) fn remove(&self) {
        self.element.remove();
    }

    pub(crate) fn set(&self, attribute: &str, value: &str) {
        self.element.set_attribute(attribute, value).unwrap();
    }

    pub(crate) fn unset(&self, attribute: &str) {
        self.element.remove_attribute(attribute).unwrap();
    }

    /// One of the element's properties.
    pub(crate) fn property(&self, name: &str) -> JsValue {
        Reflect::get(&self.element, &name.into()).unwrap()
    }

    pub(crate) fn set_property(&self, name: &str, value: impl Into<JsValue>) {
        Reflect::set(&self.element, &name.into(), &value.into()).unwrap();
    }

    /// Calls one of the element's methods.
    pub(crate) fn call(&self, method: &str) {
        let method: js_sys::Function = self.property(method).unchecked_into();
        method.call0(&self.element).unwrap();
    }

    // --- What is seen --------------------------------------------------------------------------

    pub(crate) fn root(&self) -> ShadowRoot {
        self.element.shadow_root().unwrap()
    }

    /// What matches in the shadow tree, in the tree's order.
    pub(crate) fn all(&self, selector: &str) -> Vec<Element> {
        let found = self.root().query_selector_all(selector).unwrap();
        (0..found.length())
            .map(|index| found.get(index).unwrap().unchecked_into())
            .collect()
    }

    /// The elements of a part.
    pub(crate) fn parts(&self, part: &str) -> Vec<Element> {
        self.all(&format!("[part~='{part}']"))
    }

    /// The only element of a part.
    pub(crate) fn part(&self, part: &str) -> Element {
        let mut found = self.parts(part);
        assert_eq!(found.len(), 1, "one part {part} in: {}", self.text());
        found.remove(0)
    }

    pub(crate) fn has_part(&self, part: &str) -> bool {
        !self.parts(part).is_empty()
    }

    /// The elements that assistive technology finds by this role.
    pub(crate) fn role(&self, role: &str) -> Vec<Element> {
        let mut found = self.all(MEANINGFUL);
        found.retain(|element| computed(element, "computedRole") == role);
        found
    }

    /// The names of [`role`](Self::role).
    pub(crate) fn names(&self, role: &str) -> Vec<String> {
        let found = self.role(role);
        found.iter().map(name).collect()
    }

    /// The only element of this role whose name begins like this.
    pub(crate) fn named(&self, role: &str, beginning: &str) -> HtmlElement {
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

    /// The text that a person sees in the card.
    pub(crate) fn text(&self) -> String {
        let card: HtmlElement = self.part("card").unchecked_into();
        card.inner_text()
    }

    /// Whether the shop's own children are seen.
    pub(crate) fn shows_fallback(&self) -> bool {
        shows_fallback(&self.element)
    }

    /// Whether anything of the checkout is seen.
    pub(crate) fn shows_card(&self) -> bool {
        is_seen(&self.part("card"))
    }

    // --- What is done --------------------------------------------------------------------------

    pub(crate) fn choose(&self, name: &str) {
        self.named("radio", name).click();
    }

    /// The code of the radio that is chosen.
    pub(crate) fn chosen(&self) -> Option<String> {
        let checked = |input: &HtmlInputElement| input.checked();
        let radios = self.role("radio");
        let mut radios = radios.into_iter().map(JsCast::unchecked_into);
        radios.find(checked).map(|radio| radio.value())
    }

    /// Types into the field of this name.
    pub(crate) fn fill(&self, name: &str, text: &str) {
        let field: HtmlInputElement = self.named("textbox", name).unchecked_into();
        field.set_value(text);
        let init = EventInit::new();
        init.set_bubbles(true);
        init.set_composed(true);
        let event = Event::new_with_event_init_dict("input", &init).unwrap();
        field.dispatch_event(&event).unwrap();
    }

    pub(crate) fn press(&self, name: &str) {
        self.named("button", name).click();
    }

    /// Presses the button whose name begins with "Pay".
    pub(crate) fn pay(&self) {
        self.press("Pay");
    }

    /// Unfolds the field for a transaction's hash, and pastes this into it.
    pub(crate) fn paste_hash(&self, hash: &str) {
        for details in self.all("details") {
            details.set_attribute("open", "").unwrap();
        }
        self.fill("Transaction hash", hash);
    }

    // --- What is waited for --------------------------------------------------------------------

    pub(crate) async fn until_ready(&self) {
        until("the tokens are shown", || {
            !self.all("[type=radio]").is_empty()
        })
        .await;
    }

    pub(crate) async fn until_part(&self, part: &str) {
        until(&format!("part {part} is shown"), || self.has_part(part)).await;
    }

    pub(crate) async fn until_told(&self, event: &str) {
        until(&format!("{event} is told"), || !self.told(event).is_empty()).await;
    }

    pub(crate) async fn until_shown(&self, text: &str) {
        until(&format!("{text:?} is shown"), || self.text().contains(text)).await;
    }

    // --- What the shop's page was told ---------------------------------------------------------

    /// The details of this event, each time that it was told.
    pub(crate) fn told(&self, event: &str) -> Vec<Value> {
        let told = self.told.borrow();
        let these = told.iter().filter(|(name, _)| name == event);
        these.map(|(_, detail)| detail.clone()).collect()
    }

    /// The names of all events, in their order.
    pub(crate) fn story(&self) -> Vec<String> {
        let told = self.told.borrow();
        told.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// The plain [`ORDER`] at this proxy, and these attributes more.
fn order<'a>(proxy: &'a Proxy, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let attributes = [("proxy", proxy.address())].into_iter().chain(ORDER);
    attributes.chain(more.iter().copied()).collect()
}

impl Drop for Checkout {
    fn drop(&mut self) {
        self.element.remove();
        for name in EVENTS {
            let listener = self.listener.as_ref().unchecked_ref();
            // An element that is gone tells nothing any more.
            let _ = self
                .element
                .remove_event_listener_with_callback(name, listener);
        }
    }
}

/// Whether the children of a checkout are seen.
pub(crate) fn shows_fallback(checkout: &Element) -> bool {
    checkout
        .first_element_child()
        .is_some_and(|child| is_seen(&child))
}

/// Whether an element takes up room in the page.
pub(crate) fn is_seen(element: &Element) -> bool {
    element.get_client_rects().length() > 0
}

/// The accessible name.
pub(crate) fn name(element: &Element) -> String {
    computed(element, "computedName")
}

fn computed(element: &Element, property: &str) -> String {
    let value = Reflect::get(element, &property.into()).unwrap();
    value.as_string().expect(
        "Chromium computes roles and names with --enable-blink-features=ComputedAccessibilityInfo: \
         see webdriver.json",
    )
}
