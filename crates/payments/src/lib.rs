//! The `<tender-payments>` element: everything that touches the browser.
//!
//! It is an artifact of its own, which buyers never download. The loader (`payments.js`) registers the
//! element and calls [`mount`] for each one in the page. From there data flows one way:
//!
//! ```text
//! attributes -> host -> Config -> Driver <-> api (gloo-net) <-> proxy
//!                                 Driver -> payments_core::step(state, event) -> (state, effects)
//!                                 state  -> components -> payments_core::Event -> Driver
//!                                 Driver -> host (CustomEvent)
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`element`] | [`PaymentsHandle`]: the handle of one mounted element |
//! | `driver` | holds the state, and executes effects |
//! | `components` | what the merchant sees |
//! | `api` | requests to the proxy |
//! | `download` | the CSV file |
//! | `host` | attributes in, `CustomEvent`s out |
//! | `localization` | texts, amounts and times in the element's locale |
//! | `text` | the keys of all texts |
//!
//! What it shares with the checkout is in [`tender_element`].

mod api;
mod components;
mod download;
mod driver;
pub mod element;
mod host;
mod localization;
mod text;

pub use element::{PaymentsHandle, mount};
pub use tender_element::mount::mounted_count;
use wasm_bindgen::prelude::wasm_bindgen;

/// Runs once, when the module is instantiated.
#[wasm_bindgen(start)]
fn start() {
    tender_element::panic::set_hook();
}
