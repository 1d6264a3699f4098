//! What the clients of the merchant proxy share: the checkout, the dashboard and the command line.
//!
//! | module | contents |
//! |---|---|
//! | [`response`] | [`FetchResult`]: the result of a request |
//! | [`failure`] | [`Failure`] and its error codes |
//! | [`url`] | the URLs that are accepted |

pub mod failure;
pub mod response;
pub mod url;

pub use failure::{Failure, FailureCode};
pub use response::{FetchResult, HttpResponse, TransportError};
