//! A payment that ends, or is to be replaced.

use serde_json::json;

use super::paying::{sent, set_status};
use super::{BITCOIN, KXP, USDT_ON_ETHEREUM};
use crate::support::checkout::Checkout;
use crate::support::stage::{STATUS_CLOSED, STATUS_PAID, Scenery, Stage};

pub(super) async fn another_token(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    checkout.press_part("change").await;
    checkout.choose(KXP).await;
    stage.reads(&checkout, "back-to-payment").await;
    checkout
}

/// The earlier payment can't be replaced: the proxy can't be reached for it.
pub(super) async fn replacing_failed(stage: &Stage) -> Checkout<'_> {
    let checkout = another_token(stage).await;
    stage
        .browser
        .block(&["*/api/v1/payment", "*/payment/cancel"])
        .await;
    checkout.press_part("submit").await;
    stage.reads(&checkout, "replace-failed").await;
    checkout
}

pub(super) async fn cancel_asked(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(USDT_ON_ETHEREUM, Scenery::default()).await;
    stage.press(&checkout, "cancel").await;
    stage.reads(&checkout, "cancel-sure").await;
    checkout
}

pub(super) async fn cancelling(stage: &Stage) -> Checkout<'_> {
    stage.browser.hold("*/cancel").await;
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancel-sending").await;
    checkout
}

pub(super) async fn cancel_failed(stage: &Stage) -> Checkout<'_> {
    stage.browser.block(&["*/payment/cancel"]).await;
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancel-unclear").await;
    checkout
}

pub(super) async fn cancelled(stage: &Stage) -> Checkout<'_> {
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancelled").await;
    checkout
}

pub(super) async fn paid(stage: &Stage) -> Checkout<'_> {
    let claims = json!({ "returnUrl": "https://shop.example/orders/1042" });
    let scenery = Scenery::claiming(claims);
    let checkout = stage.pay(BITCOIN, scenery).await;
    set_status(stage, STATUS_PAID);
    stage.reads(&checkout, "paid").await;
    checkout
}

pub(super) async fn paid_with_a_transaction(stage: &Stage) -> Checkout<'_> {
    let checkout = sent(stage).await;
    set_status(stage, STATUS_PAID);
    stage.reads(&checkout, "paid").await;
    checkout
}

pub(super) async fn closed(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    set_status(stage, STATUS_CLOSED);
    stage.reads(&checkout, "closed").await;
    checkout
}

pub(super) async fn closed_but_sent(stage: &Stage) -> Checkout<'_> {
    let checkout = sent(stage).await;
    set_status(stage, STATUS_CLOSED);
    stage.reads(&checkout, "closed-sent").await;
    checkout
}
