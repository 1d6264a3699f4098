//! A payment that waits for money, also from a wallet in the browser, or may have been paid.

use axum::http::StatusCode;
use serde_json::json;
use tender_sandbox::{Endpoint, Fault};
use uuid::Uuid;

use super::{BITCOIN, BNB, KXP};
use crate::support::checkout::Checkout;
use crate::support::stage::{Scenery, Stage};

pub(super) async fn awaiting_bitcoin(stage: &Stage) {
    stage.pay(BITCOIN, Scenery::default()).await;
}

/// USDT has six decimals; the service's amount has eight.
pub(super) async fn awaiting_rounded(stage: &Stage) {
    let claims = json!({ "token": "btc", "quantity": "0.00075487" });
    let scenery = Scenery::claiming(claims);
    let checkout = stage.pay("TRON, TRON", scenery).await;
    checkout.part("rounding").await;
}

/// The service asks for more than the price in the same token.
pub(super) async fn price_differs(stage: &Stage) {
    let [id, invoice] = [Uuid::new_v4(), Uuid::new_v4()].map(|id| id.to_string());
    let record = json!({
        "transactionId": id, "token": "USDT", "paymentToken": "USDT", "quantity": 48.5, "quantityPay": 49.37,
        "invoiceNumber": invoice, "statusId": "1", "statusText": "Created", "priceUsd": 48.5,
        "wallet": "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", "createdAt": "2026/11/28",
    });
    let answer = Fault::respond(StatusCode::OK, record.to_string());
    stage.servers.inject(Endpoint::Create, answer);
    let claims = json!({ "invoiceNumber": invoice });
    let checkout = stage
        .pay("Tether USD, TRON", Scenery::claiming(claims))
        .await;
    checkout.is_there(".send .boxed").await;
}

/// The format of KXP addresses is unknown.
pub(super) async fn awaiting_no_address(stage: &Stage) {
    stage.pay(KXP, Scenery::default()).await;
}

pub(super) async fn code_with_amount(stage: &Stage) {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    let summary = checkout.is_there(".scan summary").await;
    // Collapsed on touch screens.
    if summary.is_displayed().await.unwrap() {
        summary.click().await.unwrap();
    }
    checkout.press_part("with-amount").await;
    checkout.part("open-wallet").await;
}

pub(super) async fn copied(stage: &Stage) {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    stage.press(&checkout, "copy-amount").await;
    stage.reads(&checkout, "copied").await;
}

pub(super) async fn hash_with_a_problem(stage: &Stage) {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    // Long enough to be a hash.
    checkout.paste_hash(&format!("0x{}", "12".repeat(31))).await;
    checkout.is_there("#hash-problem").await;
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
pub(super) async fn contradicted(stage: &Stage) {
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
}

pub(super) async fn sent(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    checkout.paste_hash(&format!("0x{}", "5e".repeat(32))).await;
    stage.reads(&checkout, "you-sent-title").await;
    checkout
}

/// Another device has noted that money was sent.
pub(super) async fn marked(stage: &Stage) {
    let order = sent(stage).await.order().await;
    let checkout = stage.on_another_device(&order).await;
    stage.reads(&checkout, "marked-title").await;
}

/// A payment in BNB, with a browser wallet that supports only this chain.
async fn with_wallet<'a>(stage: &'a Stage, chain: &str) -> Checkout<'a> {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    stage.adds_wallet(chain).await;
    checkout.part("pay-with").await;
    checkout
}

/// Shown on touch screens.
pub(super) async fn wallet_apps(stage: &Stage) {
    let scenery = Scenery {
        links_to_pay: true,
        ..Scenery::default()
    };
    let checkout = stage.pay(BNB, scenery).await;
    checkout.is_there("[part~=open-in-wallet]").await;
}

pub(super) async fn wallet_found(stage: &Stage) {
    with_wallet(stage, "0x38").await;
}

pub(super) async fn wallet_asked(stage: &Stage) {
    let checkout = with_wallet(stage, "0x38").await;
    stage.browser.execute("wallet.thinks = true").await;
    checkout.press_part("pay-with").await;
    stage.reads(&checkout, "wallet-asked").await;
}

/// The buyer stops waiting for a wallet that was asked.
pub(super) async fn wallet_abandoned(stage: &Stage) {
    let checkout = with_wallet(stage, "0x38").await;
    stage.browser.execute("wallet.thinks = true").await;
    checkout.press_part("pay-with").await;
    stage.reads(&checkout, "wallet-asked").await;
    stage.press(&checkout, "wallet-stop-waiting").await;
    stage.reads(&checkout, "wallet-abandoned").await;
}

pub(super) async fn wallet_failed(stage: &Stage) {
    let checkout = with_wallet(stage, "0x1").await;
    checkout.press_part("pay-with").await;
    checkout.is_there(".boxed[role=alert]").await;
}
