//! The proxy's stream of events. `EventSource` sends no headers, so that it is an ordinary request
//! whose text is read as it comes.

use js_sys::{Object, Reflect};
use tender_element_legacy::fetch::Request;
use tender_payments_core::stream::Reader;
use tender_payments_core::{Event, MerchantKey};
use tender_protocol::path;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader};

use crate::driver::Driver;

#[wasm_bindgen]
extern "C" {
    type TextDecoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextDecoder;

    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, piece: &JsValue, options: &JsValue) -> Result<String, JsValue>;
}

/// An open stream. It closes when it is dropped.
pub(crate) struct Stream(AbortController);

impl Stream {
    /// Opens the stream; where the browser has nothing to open it with, there is none.
    pub(crate) fn open(
        driver: Driver,
        proxy: &str,
        key: Option<&MerchantKey>,
        last_event_id: Option<&str>,
    ) -> Option<Self> {
        let controller = AbortController::new().ok()?;
        let mut request = Request::get(&format!("{proxy}{}", path::EVENTS))
            .header("Accept", "text/event-stream")
            .bearer(key.map(MerchantKey::expose))
            .signal(&controller.signal());
        if let Some(id) = last_event_id {
            request = request.header("Last-Event-ID", id);
        }
        let signal = controller.signal();
        driver.spawn(async move {
            let end = listen(driver, request).await;
            // One that was closed here has nothing to tell.
            if !signal.aborted() {
                driver.dispatch(end);
            }
        });
        Some(Self(controller))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Listens to the end, and says what kind of end it was.
async fn listen(driver: Driver, request: Request) -> Event {
    let response = match request.send().await {
        Ok(response) if response.ok() => response,
        // Too many streams, or a proxy that is not well: another time.
        Ok(response) if response.status() >= 500 || response.status() == 429 => {
            return Event::StreamDisconnected;
        }
        Ok(_) => return Event::StreamUnsupported,
        Err(_) => return Event::StreamDisconnected,
    };
    let is_stream = response
        .headers()
        .get("Content-Type")
        .is_ok_and(|kind| kind.is_some_and(|kind| kind.starts_with("text/event-stream")));
    let body = response.body().filter(|_| is_stream);
    let Some(Ok(reader)) = body.map(|body| ReadableStreamDefaultReader::new(&body)) else {
        return Event::StreamUnsupported;
    };
    driver.dispatch(Event::StreamOpened);
    // Whatever ends it, it was there.
    let _ = read(driver, &reader).await;
    Event::StreamDisconnected
}

async fn read(driver: Driver, reader: &ReadableStreamDefaultReader) -> Result<(), JsValue> {
    let decoder = TextDecoder::new();
    let options = Object::new();
    Reflect::set(&options, &"stream".into(), &true.into())?;
    let mut messages = Reader::default();
    loop {
        let piece = JsFuture::from(reader.read()).await?;
        if Reflect::get(&piece, &"done".into())?.is_truthy() {
            return Ok(());
        }
        let piece = Reflect::get(&piece, &"value".into())?;
        let text = decoder.decode(&piece, &options)?;
        let heard = messages.read(&text).map_err(|_| JsValue::NULL)?;
        for message in heard {
            driver.dispatch(Event::StreamMessage {
                event: message.event,
                data: message.data,
                last_event_id: message.last_event_id,
            });
        }
    }
}
