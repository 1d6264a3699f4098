//! The page, the clock and the proxy of the checkout's tests, with `<tender-payments>`: [`subject`] is the element
//! under test, [`shop`] the proxy, and [`office`] the mounted element.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may stop it too, and not every test file needs each helper"
)]

#[path = "../../../../tests/support/accessibility.rs"]
pub(crate) mod accessibility;
#[path = "../../../../tests/support/clipboard.rs"]
mod clipboard;
#[path = "../../../../tests/support/clock.rs"]
pub(crate) mod clock;
#[path = "../../../../tests/support/collector.rs"]
pub(crate) mod collector;
#[path = "../../../../tests/support/developer.rs"]
pub(crate) mod developer;
#[path = "../../../../tests/support/loader.rs"]
mod loader;
#[path = "../../../../tests/support/mounted.rs"]
pub(crate) mod mounted;
#[path = "../../../../tests/support/page.rs"]
pub(crate) mod page;
#[path = "../../../../tests/support/proxy.rs"]
pub(crate) mod proxy;
#[path = "../../../../tests/support/record.rs"]
mod record;
#[path = "../../../../tests/support/replaced.rs"]
pub(crate) mod replaced;
#[path = "../../../../tests/support/wait.rs"]
pub(crate) mod wait;

pub(crate) mod office;
pub(crate) mod shop;
pub(crate) mod stream;
pub(crate) mod subject;
