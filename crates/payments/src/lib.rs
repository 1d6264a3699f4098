//! The `<tender-payments>` element: what of it touches the DOM, and nothing else.
//!
//! It is built as the checkout is, from the same parts ([`tender_element_legacy`]), and is an artifact of
//! its own: a buyer never downloads it.
//!
//! ```text
//! attributes -> Config -> Driver <-> api (fetch) <-> proxy
//!                         Driver -> merchant::step(state, event) -> (state, effects)
//!                         state  -> view -> merchant::Event -> Driver
//!                         Driver -> host (CustomEvent)
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`element`] | [`Payments`]: the handle of one mounted element |
//! | `driver` | holds the state; the only place that executes an effect |
//! | `api` | requests to the proxy |
//! | `stream` | the proxy's stream of events, read with a header |
//! | `download` | a file for the merchant |
//! | `host` | attributes in, `CustomEvent`s out |
//! | `view` | what the merchant sees |

mod api;
mod download;
mod driver;
pub mod element;
mod host;
mod stream;
mod view;

pub use element::{Payments, mount};
