//! Server-sent events from a script: a proxy has a stream once a test says so; every other one is
//! refused, as by a proxy that does not know the route.

use std::cell::RefCell;
use std::collections::HashSet;

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{EventSource, MessageEvent, MessageEventInit, Url};

use super::proxy::Proxy;

/// As the browser's, but for what comes from the network.
const STAND_IN: &str = "
    globalThis.EventSource = class extends EventTarget {
      static opened = [];
      static isOffered = () => false;
      readyState = 0;
      onerror = null;
      constructor(url) {
        super();
        this.url = url;
        EventSource.opened.push(this);
        if (!EventSource.isOffered(url)) queueMicrotask(() => this.fail(2));
      }
      close() { this.readyState = 2; }
      say(event) { if (this.readyState !== 2) this.dispatchEvent(event); }
      fail(readyState) {
        if (this.readyState === 2) return;
        this.readyState = readyState;
        this.onerror?.(new Event('error'));
      }
    };
";

thread_local! {
    static OFFERED: RefCell<HashSet<String>> = RefCell::default();
}

/// From now on this proxy has streams.
pub(crate) fn offer(proxy: &Proxy) {
    OFFERED.with_borrow_mut(|all| all.insert(proxy.address().to_owned()));
}

/// From now on this proxy has none.
pub(crate) fn withdraw(proxy: &Proxy) {
    OFFERED.with_borrow_mut(|all| all.remove(proxy.address()));
}

/// One connection, as the proxy sees it.
pub(crate) struct Stream(EventSource);

/// Every stream that was asked of this proxy, in order.
pub(crate) fn asked(proxy: &Proxy) -> Vec<Stream> {
    let mut asked = all();
    asked.retain(|stream| origin(&stream.0.url()) == proxy.address());
    asked
}

/// The only stream of this proxy that is open.
pub(crate) fn open_one(proxy: &Proxy) -> Stream {
    let mut open = asked(proxy);
    open.retain(Stream::is_open);
    assert_eq!(open.len(), 1, "one open stream");
    open.remove(0)
}

/// How many streams are open, whosoever they are.
pub(crate) fn count_open() -> usize {
    all().iter().filter(|stream| stream.is_open()).count()
}

impl Stream {
    pub(crate) fn url(&self) -> String {
        self.0.url()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.0.ready_state() != EventSource::CLOSED
    }

    /// Sends a `status` event with this record.
    pub(crate) fn say(&self, record: &str) {
        let init = MessageEventInit::new();
        init.set_data(&record.into());
        let event = MessageEvent::new_with_event_init_dict("status", &init).unwrap();
        self.call("say", &event);
    }

    /// The connection breaks; the browser would connect again.
    pub(crate) fn lose(&self) {
        self.call("fail", &EventSource::CONNECTING.into());
    }

    fn call(&self, method: &str, argument: &JsValue) {
        let method: Function = Reflect::get(&self.0, &method.into())
            .unwrap()
            .unchecked_into();
        method.call1(&self.0, argument).unwrap();
    }
}

/// Takes the place of the page's `EventSource`.
pub(super) fn install() {
    Function::new_no_args(STAND_IN)
        .call0(&JsValue::UNDEFINED)
        .unwrap();
    let is_offered = Closure::<dyn FnMut(String) -> bool>::new(|url: String| {
        OFFERED.with_borrow(|all| all.contains(&origin(&url)))
    });
    Reflect::set(&class(), &"isOffered".into(), &is_offered.into_js_value()).unwrap();
}

fn class() -> JsValue {
    Reflect::get(&js_sys::global(), &"EventSource".into()).unwrap()
}

fn all() -> Vec<Stream> {
    let opened = Reflect::get(&class(), &"opened".into()).unwrap();
    let sources = Array::from(&opened).into_iter();
    sources
        .map(|source| Stream(source.unchecked_into()))
        .collect()
}

fn origin(url: &str) -> String {
    Url::new(url).unwrap().origin()
}
