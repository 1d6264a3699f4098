//! Paying with a wallet in the browser.

use super::BNB;
use crate::support::checkout::Checkout;
use crate::support::stage::{Scenery, Stage};

/// A payment in BNB, with a browser wallet that supports only this chain.
async fn with_wallet<'a>(stage: &'a Stage, chain: &str) -> Checkout<'a> {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    stage.adds_wallet(chain).await;
    checkout.part("pay-with").await;
    checkout
}

/// Shown on touch screens.
pub(super) async fn wallet_apps(stage: &Stage) -> Checkout<'_> {
    let scenery = Scenery {
        links_to_pay: true,
        ..Scenery::default()
    };
    let checkout = stage.pay(BNB, scenery).await;
    checkout.is_there("[part~=open-in-wallet]").await;
    checkout
}

pub(super) async fn wallet_found(stage: &Stage) -> Checkout<'_> {
    with_wallet(stage, "0x38").await
}

pub(super) async fn wallet_asked(stage: &Stage) -> Checkout<'_> {
    let checkout = with_wallet(stage, "0x38").await;
    stage.browser.execute("wallet.thinks = true").await;
    checkout.press_part("pay-with").await;
    stage.reads(&checkout, "wallet-asked").await;
    checkout
}

pub(super) async fn wallet_failed(stage: &Stage) -> Checkout<'_> {
    let checkout = with_wallet(stage, "0x1").await;
    checkout.press_part("pay-with").await;
    checkout.is_there(".boxed[role=alert]").await;
    checkout
}
