//! Up to the submit.

use serde_json::json;

use super::{BITCOIN, BNB, KXP, USDT_ON_ETHEREUM};
use crate::support::stage::{Scenery, Stage};

pub(super) async fn skeleton(stage: &Stage) {
    stage.browser.block(&["*/v1/checkout.html*"]).await;
    stage.browser.hold("*/my-tokens").await;
    let checkout = stage.visit(Scenery::default()).await;
    checkout.is_there("[aria-label][aria-busy]").await; // the module's: the loader's has no name
}

pub(super) async fn first_paint(stage: &Stage) {
    stage.first_paint(Scenery::default()).await;
}

pub(super) async fn choosing(stage: &Stage) {
    let checkout = stage.visit(Scenery::default()).await;
    checkout.part("tokens").await;
}

pub(super) async fn chosen(stage: &Stage) {
    let checkout = stage.visit(Scenery::default()).await;
    checkout.choose(BNB).await;
}

pub(super) async fn test_mode(stage: &Stage) {
    let scenery = Scenery {
        is_test: true,
        ..Scenery::default()
    };
    let checkout = stage.visit(scenery).await;
    stage.reads(&checkout, "test-mode").await;
    checkout.choose(BNB).await;
}

pub(super) async fn payer_chooses(stage: &Stage) {
    let claims = json!({ "quantity": null, "itemNumber": "0" });
    let scenery = Scenery::claiming(claims);
    let checkout = stage.visit(scenery).await;
    checkout.choose(USDT_ON_ETHEREUM).await;
}

pub(super) async fn field_with_a_problem(stage: &Stage) {
    let scenery = Scenery::with("ask=\"email! name\"");
    let checkout = stage.submit(KXP, scenery).await;
    stage.reads(&checkout, "email-missing").await;
}

pub(super) async fn submitting(stage: &Stage) {
    stage.browser.hold("*/payment").await;
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "creating").await;
}

/// Names at the maximum length, and a price with more digits than a float can hold.
pub(super) async fn long_names(stage: &Stage) {
    let long = "A token of a very long name that goes on and on, ";
    let record = |code: &str, name: &str| {
        json!({
            "uuid": "", "name": name, "symbol": "LONGSYMBOL", "token": code, "decimals": null,
            "logo": "", "network_uuid": "", "meta": {},
            "network": {
                "name": "Anetworkofonelongwordwithoutaplacetobreakit", "token": code,
                "currency": "LONG", "explorer": "", "uuid": "",
            },
        })
    };
    let listing = json!([record("btc", &long.repeat(9)), record("kxp", "Short")]);
    stage.servers.service().replace_tokens(listing.to_string());
    let claims = json!({ "token": "btc", "quantity": "123456789012345678.12345678" });
    let scenery = Scenery {
        claims,
        attributes: "payment-token=\"btc\"",
        ..Scenery::default()
    };
    let checkout = stage.visit(scenery).await;
    checkout.part("tokens").await;
}
