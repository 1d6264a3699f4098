//! Tests of the sample shop, and of the programs of docs/fulfilment.md, which receive notifications, too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a helper of a test may stop it too"
)]

mod contract;
mod delivery;
mod page;
mod receiver;
mod receivers;
mod reconciliation;
mod sample_shop;
