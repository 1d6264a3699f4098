//! What the clients of the merchant proxy share: the checkout, the dashboard and the command line.

pub mod failure;
pub mod response;
pub mod typed;
pub mod url;

pub use failure::{Failure, FailureCode};
pub use response::{FetchResult, HttpResponse, TransportError};
