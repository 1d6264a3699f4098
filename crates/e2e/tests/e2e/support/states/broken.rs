//! What does not work.

use axum::http::StatusCode;
use tender_sandbox::{Endpoint, Fault};

use super::BITCOIN;
use crate::support::stage::{Scenery, Stage};

pub(super) async fn unavailable(stage: &Stage) {
    // It has the listing, too.
    stage.browser.block(&["*/v1/checkout.html*"]).await;
    stage.servers.drop_next(Endpoint::Tokens);
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "service-failed").await;
}

pub(super) async fn no_tokens(stage: &Stage) {
    stage.servers.service().replace_tokens("[]");
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "no-tokens").await;
}

pub(super) async fn failed(stage: &Stage) {
    stage.servers.drop_next(Endpoint::Create);
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "service-failed").await;
}

pub(super) async fn refused(stage: &Stage) {
    let refused = Fault::respond(StatusCode::BAD_REQUEST, "{}");
    stage.servers.inject(Endpoint::Create, refused);
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "request-refused").await;
}

pub(super) async fn not_loaded(stage: &Stage) {
    stage.browser.block(&["*.wasm"]).await;
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "load-failed").await;
}

pub(super) async fn unsupported(stage: &Stage) {
    let head = "<script>delete window.WebAssembly</script>";
    let scenery = Scenery {
        head,
        ..Scenery::default()
    };
    let checkout = stage.visit(scenery).await;
    stage.reads(&checkout, "unsupported").await;
}

/// A page that breaks, once, something that the module needs to show the payment.
pub(super) async fn crashed(stage: &Stage) {
    stage.browser.hold("*/api/v1/payment").await;
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "creating").await;
    stage.browser.breaks_once().await;
    stage.browser.clear_network().await;
    stage.reads(&checkout, "crashed").await;
}
