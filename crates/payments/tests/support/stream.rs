//! One connection of the proxy's event stream, from the proxy's side.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;

use super::proxy::Reply;

/// A response whose body a test writes: the response, a function that writes a text, and one that breaks it.
const RESPONSE: &str = "
    let body;
    const stream = new ReadableStream({ start(controller) { body = controller; } });
    const headers = { 'Content-Type': 'text/event-stream; charset=utf-8' };
    return [
      new Response(stream, { headers }),
      (text) => body.enqueue(new TextEncoder().encode(text)),
      () => body.error(new TypeError('network error')),
    ];
";

#[derive(Clone)]
pub(crate) struct Stream {
    write: Function,
    lose: Function,
}

impl Stream {
    /// A stream, and the response that it is the body of.
    pub(crate) fn open() -> (Self, Reply) {
        let made = Function::new_no_args(RESPONSE).call0(&JsValue::UNDEFINED);
        let made = Array::from(&made.unwrap());
        let function = |index| made.get(index).unchecked_into();
        let stream = Self {
            write: function(1),
            lose: function(2),
        };
        (stream, Reply::Held(Promise::resolve(&made.get(0))))
    }

    /// Sends an event.
    pub(crate) fn send(&self, event: &str, id: &str, data: &str) {
        let text = format!("id: {id}\nevent: {event}\ndata: {data}\n\n");
        self.write.call1(&JsValue::UNDEFINED, &text.into()).unwrap();
    }

    /// Breaks the connection.
    pub(crate) fn lose(&self) {
        self.lose.call0(&JsValue::UNDEFINED).unwrap();
    }
}
