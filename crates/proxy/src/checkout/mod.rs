//! What a request asks for: the purchase, and what shows the right to it.

pub(crate) mod purchase;
pub(crate) mod receipts;
pub(crate) mod signing;
