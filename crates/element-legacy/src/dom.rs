//! Markup that is built once, and follows Leptos' signals where something in it may change.
//!
//! Leptos' `view!` gives each piece of markup a type of its own, and each type code to build, rebuild,
//! hydrate and unmount it: in the checkout that was a quarter of all that a buyer downloads before the
//! first choice (docs/PERFORMANCE.md). Here markup has one type, [`El`].
//!
//! What follows a signal lives as long as the owner that it was made under.

use leptos::prelude::*;
use leptos::reactive::effect::RenderEffect;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, HtmlInputElement, Node};

use crate::{Kept, scope, task};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = document, js_name = createElementNS)]
    fn create_element(namespace: &str, tag: &str) -> Result<Element, JsValue>;

    #[wasm_bindgen(js_namespace = document, js_name = createTextNode)]
    fn create_text(text: &str) -> Node;
}

/// An element with all that is in it.
#[derive(Clone, Debug)]
pub struct El(Element);

/// An HTML element.
#[must_use]
pub fn el(tag: &str) -> El {
    make("http://www.w3.org/1999/xhtml", tag)
}

/// An SVG element.
#[must_use]
pub fn svg(tag: &str) -> El {
    make("http://www.w3.org/2000/svg", tag)
}

#[expect(
    clippy::panic,
    reason = "the names are our own literals: only a page that has broken its own browser refuses \
              them, and then every element has to say that it stopped working"
)]
fn make(namespace: &str, tag: &str) -> El {
    let Ok(element) = create_element(namespace, tag) else {
        panic!("this page makes no <{tag}>");
    };
    El(element)
}

/// What never changes.
impl El {
    /// The element in the DOM.
    #[must_use]
    pub fn element(&self) -> &Element {
        &self.0
    }

    /// Sets an attribute.
    #[must_use]
    pub fn attr(self, name: &str, value: &str) -> Self {
        // The names of attributes are our own literals: none of them is refused.
        let _ = self.0.set_attribute(name, value);
        self
    }

    /// Sets the classes.
    #[must_use]
    pub fn class(self, names: &str) -> Self {
        self.attr("class", names)
    }

    /// Sets the name by which a shop's stylesheet reaches the element.
    #[must_use]
    pub fn part(self, name: &str) -> Self {
        self.attr("part", name)
    }

    /// Appends a text.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        append(&self.0, &create_text(text));
        self
    }

    /// Appends an element, where there is one.
    #[must_use]
    pub fn child(self, child: impl Into<Option<El>>) -> Self {
        if let Some(child) = child.into() {
            append(&self.0, &child.0);
        }
        self
    }

    /// Appends elements.
    #[must_use]
    pub fn children(self, children: impl IntoIterator<Item = El>) -> Self {
        for child in children {
            append(&self.0, &child.0);
        }
        self
    }

    /// Hears an event.
    #[must_use]
    pub fn on(self, event: &'static str, hear: impl Fn(Event) + 'static) -> Self {
        keep(Listener::new(self.0.clone(), event, Box::new(hear)));
        self
    }
}

/// What follows signals.
impl El {
    /// Runs `update` now, and again whenever what it reads has changed.
    #[must_use]
    pub fn live(self, update: impl Fn(&Element) + 'static) -> Self {
        let element = self.0.clone();
        follow(Box::new(move || update(&element)));
        self
    }

    /// Appends a text that may change.
    #[must_use]
    pub fn live_text(self, text: impl Fn() -> String + 'static) -> Self {
        let node = create_text("");
        append(&self.0, &node);
        follow(Box::new(move || {
            let text = text();
            // A text that is set anew is also read aloud anew.
            if node.node_value().as_ref() != Some(&text) {
                node.set_node_value(Some(&text));
            }
        }));
        self
    }

    /// An attribute that may change; `None` removes it.
    #[must_use]
    pub fn live_attr(
        self,
        name: &'static str,
        value: impl Fn() -> Option<String> + 'static,
    ) -> Self {
        self.live(move |element| {
            let _ = match value() {
                Some(value) => element.set_attribute(name, &value),
                None => element.remove_attribute(name),
            };
        })
    }

    /// An attribute that is there, with this value, for as long as `holds`.
    #[must_use]
    pub fn attr_while(
        self,
        holds: impl Fn() -> bool + 'static,
        name: &'static str,
        value: &'static str,
    ) -> Self {
        self.live_attr(name, move || holds().then(|| value.to_owned()))
    }

    /// Whether a box or a radio button is checked.
    #[must_use]
    pub fn checked_while(self, holds: impl Fn() -> bool + 'static) -> Self {
        self.live(move |input| {
            let input: &HtmlInputElement = input.unchecked_ref();
            input.set_checked(holds());
        })
    }

    /// A class that is there for as long as `holds`.
    #[must_use]
    pub fn class_while(self, holds: impl Fn() -> bool + 'static, name: &'static str) -> Self {
        self.live(move |element| {
            let _ = element.class_list().toggle_with_force(name, holds());
        })
    }

    /// Appends elements that are made anew whenever `key` has become another; what `view` reads is not
    /// followed.
    #[must_use]
    pub fn live_children<K, V>(
        self,
        key: impl Fn() -> K + 'static,
        view: impl Fn(&K) -> V + 'static,
    ) -> Self
    where
        K: PartialEq + 'static,
        V: IntoIterator<Item = El>,
    {
        let mut place = Place::at_the_end_of(&self.0);
        let mut shown = None;
        follow(Box::new(move || {
            let key = key();
            if shown.as_ref() != Some(&key) {
                place.replace(&mut || view(&key).into_iter().collect());
                shown = Some(key);
            }
        }));
        self
    }

    /// Appends what `view` makes of each item. While an item is in the list, what was made of it stays, and
    /// where the items around it only come and go, it is not even moved; what `view` reads is not followed.
    #[must_use]
    pub fn live_list<K, V>(
        self,
        items: impl Fn() -> Vec<K> + 'static,
        view: impl Fn(&K) -> V + 'static,
    ) -> Self
    where
        K: PartialEq + 'static,
        V: IntoIterator<Item = El>,
    {
        let mut place = Place::at_the_end_of(&self.0);
        let mut shown: Vec<K> = Vec::new();
        follow(Box::new(move || {
            let items = items();
            place.arrange(
                items.len(),
                &|before, now| shown.get(before) == items.get(now),
                &mut |now| {
                    let item = items.get(now);
                    item.map_or_else(Vec::new, |item| view(item).into_iter().collect())
                },
            );
            shown = items;
        }));
        self
    }
}

/// What was made of an item.
struct Shown {
    elements: Vec<El>,
    /// What lives as long as it is there.
    owner: Owner,
}

impl Shown {
    fn remove(self) {
        for El(element) in self.elements {
            element.remove();
        }
        self.owner.cleanup();
    }
}

/// A place among an element's children for what comes and goes.
struct Place {
    /// An empty text behind all that is there.
    end: Node,
    shown: Vec<Shown>,
    owner: Owner,
}

impl Place {
    fn at_the_end_of(parent: &Element) -> Self {
        let end = create_text("");
        append(parent, &end);
        Self {
            end,
            shown: Vec::new(),
            owner: Owner::current().unwrap_or_default(),
        }
    }

    /// Shows this, in the place of all that was there.
    fn replace(&mut self, view: &mut dyn FnMut() -> Vec<El>) {
        self.shown.drain(..).for_each(Shown::remove);
        self.add(view);
        self.put_in_order();
    }

    /// Shows so many items: those for which there is one before that `is_same(before, now)` as they are, the
    /// others as `view` makes them.
    fn arrange(
        &mut self,
        count: usize,
        is_same: &dyn Fn(usize, usize) -> bool,
        view: &mut dyn FnMut(usize) -> Vec<El>,
    ) {
        let before = std::mem::take(&mut self.shown).into_iter();
        let mut before: Vec<(usize, Shown)> = before.enumerate().collect();
        for now in 0..count {
            match before.iter().position(|(at, _)| is_same(*at, now)) {
                Some(kept) => self.shown.push(before.remove(kept).1),
                None => self.add(&mut || view(now)),
            }
        }
        for (_, gone) in before {
            gone.remove();
        }
        self.put_in_order();
    }

    fn add(&mut self, view: &mut dyn FnMut() -> Vec<El>) {
        let owner = self.owner.child();
        let elements = owner.with(|| untrack(view));
        self.shown.push(Shown { elements, owner });
    }

    /// Puts in its place what is not there. An element that is moved loses the focus.
    fn put_in_order(&self) {
        let Some(parent) = self.end.parent_node() else {
            return;
        };
        let mut next = self.end.clone();
        for shown in self.shown.iter().rev() {
            for El(element) in shown.elements.iter().rev() {
                if element.next_sibling().as_ref() != Some(&next) {
                    // An element of ours, and a node that is in its parent: this can't be refused.
                    let _ = parent.insert_before(element, Some(&next));
                }
                next = element.clone().into();
            }
        }
    }
}

/// An event listener. It ends when it is dropped.
struct Listener {
    element: Element,
    event: &'static str,
    hear: Closure<dyn Fn(Event)>,
}

impl Listener {
    fn new(element: Element, event: &'static str, hear: Box<dyn Fn(Event)>) -> Self {
        let hear = Closure::wrap(hear);
        let _ = element.add_event_listener_with_callback(event, hear.as_ref().unchecked_ref());
        Self {
            element,
            event,
            hear,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let hear = self.hear.as_ref().unchecked_ref();
        let _ = (self.element).remove_event_listener_with_callback(self.event, hear);
    }
}

fn append(parent: &Element, child: &Node) {
    // A new node has a place in any of our elements: this can't be refused.
    let _ = parent.append_child(child);
}

/// Runs `update` now, and again whenever what it reads has changed, for as long as the current owner
/// lives.
pub fn follow(mut update: Box<dyn FnMut()>) {
    let scope = scope::current();
    keep(RenderEffect::new(move |_: Option<()>| {
        scope::within(scope, &mut update);
    }));
}

/// Runs `act` once what is being built is in the page, for as long as the current owner lives.
pub fn when_shown(act: Box<dyn FnOnce()>) {
    task::spawn(Box::pin(async move { act() }));
}

/// Keeps this for as long as the current owner lives.
fn keep<T: 'static>(it: T) {
    Kept::new(it);
}
