//! The `<tender-checkout>` element: everything that touches the browser.
//!
//! The loader (`checkout.js`) registers the element, shows its skeleton, and calls [`mount`] for each element in the page.
//! From there data flows one way:
//!
//! ```text
//! attributes -> host -> Config -> Driver <-> api (gloo-net) <-> proxy
//!                                 Driver -> core::step(state, event) -> (state, effects)
//!                                 state  -> components -> core::Event -> Driver
//!                                 Driver -> host (CustomEvent)
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`element`] | [`CheckoutHandle`]: the handle of one mounted element |
//! | `driver` | holds the state, and executes effects |
//! | `components` | what the buyer sees |
//! | `render` | the form and the payment page as HTML, rendered by the proxy (not in the browser) |
//! | `hosted` | what differs on the payment page, which works without JavaScript |
//! | `inline` | the form in the HTML of a shop's page |
//! | `press` | what a press of a button means |
//! | `api` | requests to the proxy |
//! | `host` | attributes in, `CustomEvent`s out |
//! | `session` | the state that the tab saves |
//! | `wallet` | wallets in the browser: discovery and payment requests |
//! | `text` | the keys of all texts |
//!
//! What it shares with the merchant's element is in [`tender_element`].

mod api;
mod components;
mod driver;
pub mod element;
mod host;
mod hosted;
mod inline;
mod press;
#[cfg(not(target_arch = "wasm32"))]
pub mod render;
mod session;
mod text;
mod wallet;

pub use element::{CheckoutHandle, mount, style};
pub use hosted::FormAction;
pub use inline::InlineForm;
pub use tender_element::mount::mounted_count;
use wasm_bindgen::prelude::wasm_bindgen;

/// Runs once, when the module is instantiated.
#[wasm_bindgen(start)]
fn start() {
    tender_element::panic::set_hook();
}
