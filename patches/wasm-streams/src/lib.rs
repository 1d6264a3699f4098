//! Replaces the crate `wasm-streams` in the widget (`[patch.crates-io]` in the workspace's `Cargo.toml`).
//!
//! Leptos depends on that crate for streams of server functions, which the widget does not have. But the crate's
//! JavaScript exports stay in the module even if nothing uses them: 4 KB, compressed. This one has the same interface, as
//! far as Leptos' `server_fn` uses it, and no exports. Remove it once Leptos makes the dependency optional.

use futures_util::Stream;
use futures_util::stream::Empty;
use wasm_bindgen::JsValue;

/// A stream of a server function.
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// The stream of a response.
    pub const fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// Panics: the widget has no server functions.
    pub fn from_stream<S: Stream<Item = Result<JsValue, JsValue>> + 'static>(_stream: S) -> Self {
        unimplemented!("streams of server functions: see patches/wasm-streams")
    }

    /// The stream for a request.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// Panics: the widget has no server functions.
    pub fn into_stream(self) -> Empty<Result<JsValue, JsValue>> {
        unimplemented!("streams of server functions: see patches/wasm-streams")
    }
}
