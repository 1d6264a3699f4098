//! What is said, in the language of the element that says it.

pub(crate) use tender_checkout_core::text::{Text, payment};
pub(crate) use tender_element::speech::{fill, say};
