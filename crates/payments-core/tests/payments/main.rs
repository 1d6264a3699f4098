//! The public interface of the crate, tested against a simulated list that grows and changes while it
//! is read.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper of a test may stop it too"
)]

mod cancelling;
mod config;
mod deliveries;
mod export;
mod filtering;
mod key;
mod links;
mod live;
mod order_action;
mod paging;
mod search;
mod simulation;
mod timeline;
mod totals;
