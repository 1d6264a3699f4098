//! The checkout through its public interface: attributes, records and responses in, states and effects out.
//!
//! `config` to `send` test the data types, `paying` to `sequences` the state machine.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper of a test may stop it too"
)]

mod abandoned;
mod address;
mod attempts;
mod cancelling;
mod changing;
mod choice;
mod config;
mod contract;
mod contradictions;
mod ended;
mod failure;
mod finding;
mod form;
mod link;
mod marks;
mod mismatch;
mod order;
mod paying;
mod payment_uri;
mod polling;
mod preparing;
mod proofs;
mod qr;
mod responses;
mod returning;
mod saved;
mod send;
mod sequences;
mod states;
mod streaming;
mod support;
mod test_mode;
mod transaction;
mod wallet_apps;
mod wallets;
