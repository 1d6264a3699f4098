//! What the proxy decides: which payment a request asks for, and that it is created only once.

pub(crate) mod order;
mod other_key;
pub(crate) mod purchase;
pub(crate) mod receipts;
pub(crate) mod signing;
mod validity;
pub(crate) mod verifier;
