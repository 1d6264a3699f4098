//! Tests of the sandbox over HTTP.
//!
//! `tokens`, `list`, `cancel` and `create` follow the endpoints of the service's document: above
//! each assertion, or test, is the sentence that it checks. The other modules test what the sandbox adds:
//! refusals, faults and controls.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper of a test may stop it too"
)]

mod cancel;
mod controls;
mod create;
mod events;
mod faults;
mod list;
mod page;
mod refusals;
mod support;
mod tokens;
