//! Event streams. A proxy has them once a test enables them; otherwise they are refused, as by a proxy without the
//! route.

use std::cell::RefCell;
use std::collections::HashSet;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Request, Url};

use crate::proxy::Proxy;

/// Responds to a request for a stream: with a response whose body the test writes, or with 404.
const CONNECT: &str = "
    const header = (name) => request.headers.get(name);
    const connection = { url: request.url, authorization: header('Authorization'), lastEventId: header('Last-Event-ID') };
    connection.isOpen = isOffered;
    if (!isOffered) {
      connection.response = new Response('', { status: 404 });
      return connection;
    }
    let body;
    const stream = new ReadableStream({
      start(controller) { body = controller; },
      cancel() { connection.isOpen = false; },
    });
    connection.response = new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } });
    connection.send = (text) => { if (connection.isOpen) body.enqueue(new TextEncoder().encode(text)); };
    connection.fail = (error) => {
      if (connection.isOpen) body.error(error);
      connection.isOpen = false;
    };
    const abort = () => connection.fail(request.signal.reason);
    if (request.signal.aborted) abort();
    request.signal.addEventListener('abort', abort);
    return connection;
";

thread_local! {
    static OFFERED: RefCell<HashSet<String>> = RefCell::default();
    static CONNECTIONS: RefCell<Vec<Stream>> = RefCell::default();
}

/// Enables streams for this proxy.
pub fn offer(proxy: &Proxy) {
    OFFERED.with_borrow_mut(|all| all.insert(proxy.address().to_owned()));
}

/// Disables streams for this proxy.
pub fn withdraw(proxy: &Proxy) {
    OFFERED.with_borrow_mut(|all| all.remove(proxy.address()));
}

/// One connection, from the proxy's side.
#[derive(Clone)]
pub struct Stream(JsValue);

/// All streams requested from this proxy, in order.
pub fn asked(proxy: &Proxy) -> Vec<Stream> {
    let mut asked = all();
    asked.retain(|stream| origin(&stream.url()) == proxy.address());
    asked
}

/// The only open stream of this proxy.
pub fn open_one(proxy: &Proxy) -> Stream {
    let mut open = asked(proxy);
    open.retain(Stream::is_open);
    assert_eq!(open.len(), 1, "one open stream");
    open.remove(0)
}

/// The number of open streams of all proxies.
pub fn count_open() -> usize {
    all().iter().filter(|stream| stream.is_open()).count()
}

impl Stream {
    pub fn url(&self) -> String {
        self.get("url").as_string().unwrap()
    }

    pub fn authorization(&self) -> Option<String> {
        self.get("authorization").as_string()
    }

    pub fn last_event_id(&self) -> Option<String> {
        self.get("lastEventId").as_string()
    }

    pub fn is_open(&self) -> bool {
        self.get("isOpen").is_truthy()
    }

    /// Sends a `status` event with this record.
    pub fn say(&self, record: &str) {
        let data = record.replace('\n', "\ndata: ");
        self.call("send", &format!("event: status\ndata: {data}\n\n").into());
    }

    /// Sends an event with this id.
    pub fn send(&self, event: &str, id: &str, data: &str) {
        let text = format!("id: {id}\nevent: {event}\ndata: {data}\n\n");
        self.call("send", &text.into());
    }

    /// Breaks the connection.
    pub fn lose(&self) {
        self.call("fail", &js_sys::TypeError::new("network error"));
    }

    fn get(&self, name: &str) -> JsValue {
        Reflect::get(&self.0, &name.into()).unwrap()
    }

    fn call(&self, method: &str, argument: &JsValue) {
        let method: Function = self.get(method).unchecked_into();
        method.call1(&self.0, argument).unwrap();
    }
}

/// The response to a request for a stream; `None` for any other request.
pub(crate) fn answer(request: &Request) -> Option<Promise> {
    let url = Url::new(&request.url()).unwrap();
    let path = url.pathname();
    if !(path.starts_with("/api/v1/payment/") && path.ends_with("/events")) {
        return None;
    }
    let is_offered = OFFERED.with_borrow(|all| all.contains(&url.origin()));
    let connect = Function::new_with_args("request, isOffered", CONNECT);
    let connection = connect.call2(&JsValue::UNDEFINED, request, &is_offered.into());
    let stream = Stream(connection.unwrap());
    CONNECTIONS.with_borrow_mut(|all| all.push(stream.clone()));
    Some(Promise::resolve(&stream.get("response")))
}

fn all() -> Vec<Stream> {
    CONNECTIONS.with_borrow(Clone::clone)
}

fn origin(url: &str) -> String {
    Url::new(url).unwrap().origin()
}
