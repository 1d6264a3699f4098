//! What the proxy decides: which payment a request asks for, and that it is created only once.

pub(crate) mod order;
pub(crate) mod purchase;
pub(crate) mod receipts;
pub(crate) mod signing;
mod times;
