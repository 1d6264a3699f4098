//! A page with the real loader, the real stylesheet and the real module in it. What stands in are
//! only the browser's edges: [`proxy`] answers `fetch` from a script, [`clock`] holds the long
//! timers until a test fires them, [`clipboard`] and [`developer`] record.
//!
//! [`subject`] is what is tested; all that does not depend on it serves `crates/payments/tests`, too.
//!
//! Nothing here waits for a fixed time: [`wait`] looks until something is so.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may stop it too, and not every test file needs each helper"
)]

pub(crate) mod camera;
pub(crate) mod checkout;
pub(crate) mod clipboard;
pub(crate) mod clock;
pub(crate) mod developer;
pub(crate) mod frame;
pub(crate) mod loader;
pub(crate) mod mounted;
pub(crate) mod page;
pub(crate) mod proxy;
pub(crate) mod record;
pub(crate) mod sight;
pub(crate) mod stream;
pub(crate) mod subject;
pub(crate) mod wait;
pub(crate) mod wallet;
