//! What both elements share in the browser. Each element (the checkout, the merchant's payments) is a crate of its own
//! that exports `mount` to its loader and is built from these parts.
//!
//! | module | contents |
//! |---|---|
//! | [`mount`] | [`Mounted`]: a mounted element; [`ElementContext`]: what every element has |
//! | [`state`] | [`ElementState`]: state and configuration as signals, and the queue of events |
//! | [`tasks`] | [`Tasks`]: async tasks that end with the element |
//! | [`http`] | requests to the merchant proxy |
//! | [`event_stream`] | server-sent events from the merchant proxy |
//! | [`host`] | the custom element: its events, its messages in the console |
//! | [`page`], [`storage`] | the page's visibility; `sessionStorage` |
//! | [`i18n`], [`number`], [`date`] | texts, amounts and dates in the element's locale |
//! | [`focus`] | keeps the focus when a control is removed |
//! | [`components`] | components that both elements use |
//! | [`panic`] | what happens after a panic |

pub mod components;
pub mod date;
pub mod event_stream;
pub mod focus;
pub mod host;
pub mod http;
pub mod i18n;
mod locale;
pub mod mount;
pub mod number;
pub mod page;
pub mod panic;
pub mod state;
pub mod storage;
pub mod tasks;

pub use i18n::{I18n, TextKey, use_i18n};
pub use mount::{ElementContext, Mounted};
pub use state::{ElementState, StateMachine};
pub use tasks::Tasks;
