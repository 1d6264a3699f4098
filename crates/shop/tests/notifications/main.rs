//! Tests of notifications: received by the sample shop, and by the programs of docs/fulfilment.md.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a helper of a test may stop it too"
)]

mod contract;
mod delivery;
mod receiver;
mod receivers;
mod reconciliation;
mod sample_shop;
