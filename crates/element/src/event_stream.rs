//! Server-sent events from the merchant proxy.
//!
//! The browser's `EventSource` can't send an `Authorization` header, and a receipt or merchant key does not belong in a
//! URL. So this is an ordinary request whose body is parsed while it arrives.

mod parser;

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ReadableStreamDefaultReader, Response, TextDecodeOptions, TextDecoder};

pub use self::parser::{Message, Parser, TooLong};
use crate::http::{AbortOnDrop, ProxyRequest};

/// A change of a connection, or an event that it has received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEvent {
    /// The proxy has accepted the connection.
    Opened,
    /// An event has arrived.
    Message(Message),
    /// The connection was lost, or the proxy is overloaded: try again later. The last event of a stream.
    Lost,
    /// The proxy refused the connection, or answered it with something other than an event stream. The last event of a
    /// stream.
    Refused,
}

/// An open connection. Dropping it closes the connection; no event is reported after that.
#[must_use = "dropping an event stream closes it"]
pub struct EventStream {
    is_closed: Rc<Cell<bool>>,
    _abort: AbortOnDrop,
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.is_closed.set(true);
    }
}

impl EventStream {
    /// Connects to `url`. `token` is a receipt or a merchant key; with `last_event_id` the proxy continues after that
    /// event. `on_event` is called for each [`StreamEvent`], never from within this function.
    pub fn open(
        url: &str,
        token: Option<&str>,
        last_event_id: Option<&str>,
        on_event: impl Fn(StreamEvent) + 'static,
    ) -> Self {
        let mut request = ProxyRequest::get(url)
            .header("Accept", "text/event-stream")
            .bearer(token);
        if let Some(id) = last_event_id {
            request = request.header("Last-Event-ID", id);
        }
        let abort = AbortOnDrop::new();
        let controller = abort.controller().cloned();
        let is_closed = Rc::new(Cell::new(false));
        let stream = Self {
            is_closed: Rc::clone(&is_closed),
            _abort: abort,
        };
        spawn_local(async move {
            if is_closed.get() {
                return;
            }
            let report = |event| {
                if !is_closed.get() {
                    on_event(event);
                }
            };
            let response = request.start(controller.as_ref()).await;
            let end = match response.map_or(Err(StreamEvent::Lost), |response| reader(&response)) {
                Ok(reader) => {
                    report(StreamEvent::Opened);
                    // Whether the body ended or failed, the connection is lost.
                    let on_message = |message| report(StreamEvent::Message(message));
                    let _ = read(&reader, &is_closed, &on_message).await;
                    StreamEvent::Lost
                }
                Err(end) => end,
            };
            report(end);
        });
        stream
    }
}

/// The body of a response, if it is an event stream.
fn reader(response: &Response) -> Result<ReadableStreamDefaultReader, StreamEvent> {
    match response.status() {
        200..=299 => {}
        429 | 500.. => return Err(StreamEvent::Lost),
        _ => return Err(StreamEvent::Refused),
    }
    let content_type = response.headers().get("Content-Type").ok().flatten();
    content_type
        .filter(|value| value.starts_with("text/event-stream"))
        .and_then(|_| response.body())
        .and_then(|body| ReadableStreamDefaultReader::new(&body).ok())
        .ok_or(StreamEvent::Refused)
}

/// Reads until the body ends, or the stream is closed.
async fn read(
    reader: &ReadableStreamDefaultReader,
    is_closed: &Cell<bool>,
    on_message: &dyn Fn(Message),
) -> Result<(), JsValue> {
    let decoder = TextDecoder::new()?;
    let options = TextDecodeOptions::new();
    options.set_stream(true);
    let mut parser = Parser::default();
    loop {
        let piece = JsFuture::from(Promise::resolve(&reader.read())).await?;
        if Reflect::get(&piece, &"done".into())?.is_truthy() {
            return Ok(());
        }
        // A `fetch` that the page has wrapped may ignore the request's signal.
        if is_closed.get() {
            JsFuture::from(Promise::resolve(&reader.cancel())).await?;
            return Ok(());
        }
        let piece = Reflect::get(&piece, &"value".into())?;
        let text =
            decoder.decode_with_buffer_source_and_options(piece.unchecked_ref(), &options)?;
        for message in parser.push(&text).map_err(|_| JsValue::NULL)? {
            on_message(message);
        }
    }
}
