//! The `<tender-checkout>` element: what of it touches the DOM, and nothing else.
//!
//! The loader (`checkout.js`) registers the element, shows its frame, and calls [`mount`] for each
//! one in the page. From there on data flows one way:
//!
//! ```text
//! attributes -> host -> Config -> Driver <-> api (fetch) <-> proxy
//!                                 Driver -> core::step(state, event) -> (state, effects)
//!                                 state  -> view -> core::Event -> Driver
//!                                 Driver -> host (CustomEvent)
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`element`] | [`Checkout`]: the handle of one mounted element |
//! | `driver` | holds the state; the only place that executes an effect |
//! | `api` | requests to the proxy |
//! | `host` | attributes in, `CustomEvent`s out |
//! | `session` | what the tab remembers |
//! | [`loader`] | what the loader does for the module |
//! | `later` | the part of the module that comes once there may be a payment |
//! | `view` | what the buyer sees: one file per state, and its parts |
//! | `wallet` | wallets in the browser: found, and asked to pay |
//! | `text` | what is said |
//!
//! What it shares with the merchant's element is in [`tender_element`].

mod api;
mod driver;
pub mod element;
mod host;
mod later;
pub mod loader;
mod session;
mod text;
mod view;
mod wallet;

pub use element::{Checkout, mount};
pub use loader::Loader;
pub use tender_element::frame::live as live_checkouts;
