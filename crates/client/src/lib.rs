//! What the clients of the merchant proxy share, as pure data: the checkout, the dashboard and the command line. No
//! DOM, no network.
//!
//! | module | what it holds |
//! |---|---|
//! | [`address`] | which addresses may be used |
//! | [`answer`] | [`HttpResponse`]: what came of a request |
//! | [`failure`] | [`Failure`]: the closed set of what can go wrong |

pub mod address;
pub mod answer;
pub mod failure;

pub use answer::{FetchResult, HttpResponse, TransportError};
pub use failure::{Failure, FailureCode};
