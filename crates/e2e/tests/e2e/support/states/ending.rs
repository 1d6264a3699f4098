//! A payment that ends, or is to be replaced.

use serde_json::json;
use tender_sandbox::Endpoint;

pub(super) use super::paying::moves;
use super::paying::sent;
use super::{BITCOIN, BNB, KXP, USDT_ON_ETHEREUM};
use crate::support::checkout::Checkout;
use crate::support::stage::{STATUS_CLOSED, STATUS_PAID, STATUS_PENDING, Scenery, Stage};

pub(super) async fn another_token(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    checkout.press_part("change").await;
    checkout.choose(KXP).await;
    stage.reads(&checkout, "back-to-payment").await;
    checkout
}

/// The payment was created on another device, so this one first asks for money that was sent there.
pub(super) async fn another_token_elsewhere(stage: &Stage) {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    let order = checkout.order().await;
    let checkout = stage.on_another_device(&order).await;
    checkout.press_part("change").await;
    checkout.choose(KXP).await;
    stage.reads(&checkout, "sent-question").await;
}

/// The earlier payment can't be replaced: the proxy can't be reached for it.
pub(super) async fn replacing_failed(stage: &Stage) {
    let checkout = another_token(stage).await;
    stage
        .browser
        .block(&[
            "*/api/v1/payment",
            "*/api/v1/payment?_=*",
            "*/payment/cancel",
        ])
        .await;
    checkout.press_part("submit").await;
    stage.reads(&checkout, "replace-failed").await;
}

pub(super) async fn cancel_asked(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(USDT_ON_ETHEREUM, Scenery::default()).await;
    stage.press(&checkout, "cancel").await;
    stage.reads(&checkout, "cancel-sure").await;
    checkout
}

pub(super) async fn cancelling(stage: &Stage) {
    stage.browser.hold("*/cancel").await;
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancel-sending").await;
}

pub(super) async fn cancel_failed(stage: &Stage) {
    stage.browser.block(&["*/payment/cancel"]).await;
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancel-unclear").await;
}

pub(super) async fn cancelled(stage: &Stage) {
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancelled").await;
}

/// The service did not answer, so the payment may be cancelled or not.
pub(super) async fn unknown(stage: &Stage) {
    let checkout = cancel_asked(stage).await;
    stage.servers.drop_next(Endpoint::Cancel);
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "unknown").await;
}

/// The money for the first payment arrives after it was closed and followed by a second one.
pub(super) async fn order_paid(stage: &Stage) {
    first_moves(stage, STATUS_PAID, "order-paid").await;
}

/// The same, while it is not confirmed.
pub(super) async fn order_seen(stage: &Stage) {
    first_moves(stage, STATUS_PENDING, "may-be-paid-title").await;
}

/// The first of two payments gets this status, and the page of the second reads this text.
async fn first_moves(stage: &Stage, status: &str, text: &str) {
    let checkout = moves(stage, STATUS_CLOSED, "closed").await;
    let first = stage.servers.only_payment().transaction_id;
    stage.press(&checkout, "start-again").await;
    checkout.pay_with(BNB).await;
    checkout.part("amount").await;
    stage.servers.set_status_of(&first, status);
    stage.reads(&checkout, text).await;
}

pub(super) async fn paid_late(stage: &Stage) {
    let checkout = moves(stage, STATUS_CLOSED, "closed").await;
    stage.moves(&checkout, STATUS_PAID, "paid").await;
}

pub(super) async fn paid(stage: &Stage) {
    let claims = json!({ "returnUrl": "https://shop.example/orders/1042" });
    let scenery = Scenery::claiming(claims);
    let checkout = stage.pay(BITCOIN, scenery).await;
    stage.moves(&checkout, STATUS_PAID, "paid").await;
}

pub(super) async fn paid_with_a_transaction(stage: &Stage) {
    let checkout = sent(stage).await;
    stage.moves(&checkout, STATUS_PAID, "paid").await;
}

pub(super) async fn closed_but_sent(stage: &Stage) {
    let checkout = sent(stage).await;
    stage.moves(&checkout, STATUS_CLOSED, "closed-sent").await;
}
