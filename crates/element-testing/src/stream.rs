//! Event streams. A proxy has them once a test enables them; otherwise they are refused, as by a proxy without the
//! route.

use std::cell::RefCell;
use std::collections::HashSet;

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::{Request, Url};

use crate::proxy::Proxy;

#[wasm_bindgen(inline_js = "
    export const connectStream = (request, isOffered) => {
      const header = (name) => request.headers.get(name) ?? undefined;
      const connection = {
        url: request.url,
        authorization: header('Authorization'),
        lastEventId: header('Last-Event-ID'),
        isOpen: isOffered,
      };
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
      connection.write = (text) => { if (connection.isOpen) body.enqueue(new TextEncoder().encode(text)); };
      const fail = (error) => {
        if (connection.isOpen) body.error(error);
        connection.isOpen = false;
      };
      connection.lose = () => fail(new TypeError('network error'));
      const abort = () => fail(request.signal.reason);
      if (request.signal.aborted) abort();
      request.signal.addEventListener('abort', abort);
      return connection;
    };
")]
extern "C" {
    /// One connection, from the proxy's side.
    #[derive(Clone)]
    pub type Stream;

    /// Responds to a request for a stream: with a response whose body the test writes, or with 404.
    #[wasm_bindgen(js_name = connectStream)]
    fn connect_stream(request: &Request, is_offered: bool) -> Stream;

    #[wasm_bindgen(method, getter)]
    pub fn url(this: &Stream) -> String;

    #[wasm_bindgen(method, getter)]
    pub fn authorization(this: &Stream) -> Option<String>;

    #[wasm_bindgen(method, getter = lastEventId)]
    pub fn last_event_id(this: &Stream) -> Option<String>;

    #[wasm_bindgen(method, getter = isOpen)]
    pub fn is_open(this: &Stream) -> bool;

    #[wasm_bindgen(method, getter)]
    fn response(this: &Stream) -> JsValue;

    #[wasm_bindgen(method)]
    fn write(this: &Stream, text: &str);

    /// Breaks the connection.
    #[wasm_bindgen(method)]
    pub fn lose(this: &Stream);
}

thread_local! {
    static OFFERED: RefCell<HashSet<String>> = RefCell::default();
    static CONNECTIONS: RefCell<Vec<Stream>> = RefCell::default();
}

/// Enables streams for this proxy.
pub fn offer(proxy: &Proxy) {
    OFFERED.with_borrow_mut(|all| all.insert(proxy.address().to_owned()));
}

/// All streams requested from this proxy, in order.
pub fn asked(proxy: &Proxy) -> Vec<Stream> {
    let mut asked = CONNECTIONS.with_borrow(Clone::clone);
    asked.retain(|stream| Url::new(&stream.url()).unwrap().origin() == proxy.address());
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
    CONNECTIONS.with_borrow(|all| all.iter().filter(|stream| stream.is_open()).count())
}

impl Stream {
    /// Sends a `status` event with this record.
    pub fn say(&self, record: &str) {
        let data = record.replace('\n', "\ndata: ");
        self.write(&format!("event: status\ndata: {data}\n\n"));
    }

    /// Sends an event with this id.
    pub fn send(&self, event: &str, id: &str, data: &str) {
        self.write(&format!("id: {id}\nevent: {event}\ndata: {data}\n\n"));
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
    let stream = connect_stream(request, is_offered);
    let response = Promise::resolve(&stream.response());
    CONNECTIONS.with_borrow_mut(|all| all.push(stream));
    Some(response)
}
