//! `<tender-checkout>` in a real browser, through its public interface: attributes, properties, methods, events, roles
//! and parts.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop at the first thing that is not as it should be"
)]

#[path = "../support/mod.rs"]
mod support;

mod accessibility;
mod attributes;
mod changes;
mod changing;
mod copying;
mod crash;
mod ended;
mod environment;
mod events;
mod failures;
mod finding;
mod first_paint;
mod focus;
mod gaps;
mod hostile;
mod in_page;
mod languages;
mod layout;
mod lifecycle;
mod loader;
mod loading;
mod long_lived;
mod optimised;
mod page;
mod page_functions;
mod polling;
mod resuming;
mod scan;
mod states;
mod test_mode;
mod translated;
mod wallets;
mod warnings;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
