//! A payment that waits for money, or may have been paid.

use serde_json::{Value, json};

use super::{BITCOIN, BNB, KXP};
use crate::support::checkout::Checkout;
use crate::support::stage::{Scenery, Stage};

pub(super) async fn awaiting_bitcoin(stage: &Stage) -> Checkout<'_> {
    stage.pay(BITCOIN, Scenery::default()).await
}

/// USDT has six decimals; the service's amount has eight.
pub(super) async fn awaiting_rounded(stage: &Stage) -> Checkout<'_> {
    let claims = json!({ "token": "btc", "quantity": "0.00075487" });
    let scenery = Scenery::claiming(claims);
    let checkout = stage.pay("TRON, TRON", scenery).await;
    checkout.part("rounding").await;
    checkout
}

/// The format of KXP addresses is unknown.
pub(super) async fn awaiting_no_address(stage: &Stage) -> Checkout<'_> {
    stage.pay(KXP, Scenery::default()).await
}

pub(super) async fn code_with_amount(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    let summary = checkout.is_there(".scan summary").await;
    // Collapsed on touch screens.
    if summary.is_displayed().await.unwrap() {
        summary.click().await.unwrap();
    }
    checkout.press_part("with-amount").await;
    checkout.part("open-wallet").await;
    checkout
}

pub(super) async fn copied(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    stage.press(&checkout, "copy-amount").await;
    stage.reads(&checkout, "copied").await;
    checkout
}

pub(super) async fn hash_with_a_problem(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    checkout.paste_hash("0x1234").await;
    checkout.is_there("#hash-problem").await;
    checkout
}

/// The service changes the status, and the checkout shows the text with this key.
pub(super) async fn moves<'a>(
    stage: &'a Stage,
    status: &'static str,
    text: &'static str,
) -> Checkout<'a> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    stage.moves(&checkout, status, text).await;
    checkout
}

/// The stream delivers a record of another amount.
pub(super) async fn contradicted(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    checkout.part("amount").await;
    stage
        .browser
        .execute(
            "const { fetch } = window;
             window.fetch = async (...given) => {
               const response = await fetch(...given);
               if (!response.headers.get('content-type').includes('json')) return response;
               const record = await response.json();
               return Response.json({ ...record, quantityPay: 7 });
             };
             document.querySelector('tender-checkout').refresh()",
        )
        .await;
    stage.reads(&checkout, "do-not-pay").await;
    checkout
}

pub(super) async fn sent(stage: &Stage) -> Checkout<'_> {
    let (_, checkout) = sent_for_order(stage).await;
    checkout
}

async fn sent_for_order(stage: &Stage) -> (String, Checkout<'_>) {
    let (order, checkout) = with_order(stage, BNB).await;
    checkout.paste_hash(&format!("0x{}", "5e".repeat(32))).await;
    stage.reads(&checkout, "you-sent-title").await;
    (order, checkout)
}

/// A payment in this token, and its order.
pub(super) async fn with_order<'a>(stage: &'a Stage, token: &str) -> (String, Checkout<'a>) {
    let order = stage.order(Value::Null);
    let checkout = stage.submit_order(&order, token, Scenery::default()).await;
    checkout.part("amount").await;
    (order, checkout)
}

/// Another device has noted that money was sent.
pub(super) async fn marked(stage: &Stage) -> Checkout<'_> {
    let (order, _) = sent_for_order(stage).await;
    let checkout = stage.on_another_device(&order).await;
    stage.reads(&checkout, "marked-title").await;
    checkout
}
