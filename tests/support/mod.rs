//! A page with the real loader, stylesheet and module. Only the browser's interfaces are replaced: [`proxy`] responds
//! to `fetch`, [`clock`] holds long timers until a test fires them, [`clipboard`] and [`developer`] record.
//!
//! [`subject`] is the element under test. All other modules are also used by `crates/payments/tests`.
//!
//! No test waits for a fixed time: [`wait`] polls a condition.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may stop it too, and not every test file needs each helper"
)]

pub(crate) mod accessibility;
pub(crate) mod camera;
pub(crate) mod checkout;
pub(crate) mod clipboard;
pub(crate) mod clock;
pub(crate) mod collector;
pub(crate) mod developer;
pub(crate) mod frame;
pub(crate) mod loader;
pub(crate) mod mounted;
pub(crate) mod page;
pub(crate) mod proxy;
pub(crate) mod record;
pub(crate) mod replaced;
pub(crate) mod sight;
pub(crate) mod stream;
pub(crate) mod subject;
pub(crate) mod wait;
pub(crate) mod wallet;
