//! Tests of the sample shop, and of the programs of docs/fulfilment.md, which receive notifications, too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a helper of a test may stop it too"
)]

/// A test for each language that is not skipped.
macro_rules! in_languages {
    ($test:ident: $($name:ident = $example:ident),+) => {
        $(
            #[tokio::test]
            async fn $name() {
                $test(&$example).await;
            }
        )+
    };
}

mod contract;
mod delivery;
mod linters;
mod page;
mod programs;
mod proxy;
mod receiver;
mod receivers;
mod reconciliation;
mod requests;
mod sample_shop;
mod settings;
