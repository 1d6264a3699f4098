//! What Tender's elements share in the DOM. Each artifact (the checkout, the merchant's payments)
//! is a crate of its own that exports a `mount` to its loader and stands on these parts.
//!
//! | module | what it holds |
//! |---|---|
//! | [`handle`] | [`Handle`]: a mounted element, as its loader holds it |
//! | [`frame`] | what it holds while it is shown, and the end of it |
//! | [`fetch`] | requests to the proxy, and their answers |
//! | [`host`] | the element in its page: its language, its events, its console |
//! | [`page`] | whether the page is seen |
//! | [`storage`] | what the tab keeps |
//! | [`live`] | what lives as long as its owner, and what views follow of it |
//! | [`task`] | futures that end with what began them |
//! | [`speech`], [`number`] | what is said, in the element's language; amounts as a person reads them |
//! | [`dom`] | markup: built once, following signals where something may change |
//! | [`copying`], [`focus`], [`icon`], [`notice`] | parts of views |

pub mod copying;
pub mod dom;
pub mod fetch;
pub mod focus;
pub mod frame;
pub mod handle;
pub mod host;
pub mod icon;
pub mod live;
pub mod notice;
pub mod number;
pub mod page;
mod scope;
pub mod speech;
pub mod storage;
pub mod task;

pub use handle::Handle;
pub use live::{Kept, Live};
pub use speech::Speech;
