//! The proxy's stream of a payment: server-sent events (the HTML standard, "Server-sent events").

use tender_checkout_core::Event;
use wasm_bindgen::prelude::*;
use web_sys::{EventSource, MessageEvent};

use super::Driver;

/// An open stream. It closes when it is dropped.
pub(super) struct Stream {
    source: EventSource,
    /// What the browser calls, for as long as the stream is open.
    _listeners: [Closure<dyn FnMut(web_sys::Event)>; 2],
}

impl Stream {
    /// Opens the stream at `url`; `id` is the payment that it tells of. Where the browser does not
    /// even try, there is none.
    ///
    /// After any error the stream is given up: whether to open another is not the browser's to say.
    pub(super) fn open(driver: Driver, url: &str, id: String) -> Option<Self> {
        let source = EventSource::new(url).ok()?;
        let payment = id.clone();
        let on_status = Closure::<dyn FnMut(_)>::new(move |event: web_sys::Event| {
            let json = event
                .dyn_ref::<MessageEvent>()
                .and_then(|event| event.data().as_string());
            driver.dispatch(Event::StatusReceived(
                payment.clone(),
                json.unwrap_or_default(),
            ));
        });
        let failed = source.clone();
        let on_error = Closure::<dyn FnMut(_)>::new(move |_| {
            // An answer that is no stream closes the source; a lost connection leaves it connecting.
            let is_refused = failed.ready_state() == EventSource::CLOSED;
            failed.close();
            let ended = if is_refused {
                Event::StreamRefused
            } else {
                Event::StreamLost
            };
            driver.dispatch(ended(id.clone()));
        });
        source
            .add_event_listener_with_callback("status", on_status.as_ref().unchecked_ref())
            .ok()?;
        source.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Some(Self {
            source,
            _listeners: [on_status, on_error],
        })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.source.close();
    }
}
