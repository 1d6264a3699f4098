//! `<tender-payments>` in a real browser, through its public face: attributes, events, roles and
//! parts.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test may stop at the first thing that is not as it should be"
)]

#[path = "../support/mod.rs"]
mod support;

mod accessibility;
mod cancelling;
mod changes;
mod deliveries;
mod gaps;
mod hostile;
mod key;
mod languages;
mod ledger;
mod links;
mod live;
mod order_actions;
mod page_functions;
mod paging;
mod rows;
mod search;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
