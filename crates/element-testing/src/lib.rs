//! What the browser tests of both elements share: a page with the real loader, stylesheet and module. Only the browser's
//! interfaces are replaced: [`proxy`] responds to `fetch`, [`clock`] holds long timers until a test fires them,
//! [`clipboard`] and [`developer`] record.
//!
//! [`Subject`] is the element under test. No test waits for a fixed time: [`wait`] polls a condition.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "a helper of a test may stop it too"
)]
#![allow(
    missing_docs,
    clippy::must_use_candidate,
    clippy::new_without_default,
    reason = "only tests use it"
)]

pub mod accessibility;
pub mod clipboard;
pub mod clock;
pub mod collector;
pub mod developer;
pub mod gaps;
pub mod loader;
pub mod mounted;
pub mod page;
pub mod proxy;
pub mod record;
mod replaced;
pub mod stream;
mod subject;
pub mod wait;

pub use replaced::Replaced;
pub use subject::{Subject, address};
