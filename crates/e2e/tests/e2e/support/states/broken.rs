//! What does not work.

use axum::http::StatusCode;
use tender_sandbox::{Endpoint, Fault, Outcome};

use super::BITCOIN;
use crate::support::checkout::Checkout;
use crate::support::stage::{Scenery, Stage};

pub(super) async fn unavailable(stage: &Stage) -> Checkout<'_> {
    // It has the listing, too.
    stage.browser.block(&["*/v1/checkout.html*"]).await;
    stage
        .servers
        .inject(Endpoint::Tokens, Fault::new(Outcome::DropRequest));
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "service-failed").await;
    checkout
}

pub(super) async fn no_tokens(stage: &Stage) -> Checkout<'_> {
    stage.servers.service().replace_tokens("[]");
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "no-tokens").await;
    checkout
}

pub(super) async fn failed(stage: &Stage) -> Checkout<'_> {
    stage
        .servers
        .inject(Endpoint::Create, Fault::new(Outcome::DropRequest));
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "service-failed").await;
    checkout
}

pub(super) async fn refused(stage: &Stage) -> Checkout<'_> {
    stage.servers.inject(
        Endpoint::Create,
        Fault::respond(StatusCode::BAD_REQUEST, "{}"),
    );
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "request-refused").await;
    checkout
}

pub(super) async fn not_loaded(stage: &Stage) -> Checkout<'_> {
    stage.browser.block(&["*.wasm"]).await;
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "load-failed").await;
    checkout
}

pub(super) async fn unsupported(stage: &Stage) -> Checkout<'_> {
    let head = "<script>delete window.WebAssembly</script>";
    let scenery = Scenery {
        head,
        ..Scenery::default()
    };
    let checkout = stage.visit(scenery).await;
    stage.reads(&checkout, "unsupported").await;
    checkout
}

/// A page that breaks, once, something that the module needs to show the payment.
pub(super) async fn crashed(stage: &Stage) -> Checkout<'_> {
    stage.browser.hold("*/api/v1/payment").await;
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "creating").await;
    stage.browser.breaks_once().await;
    stage.browser.clear_network().await;
    stage.reads(&checkout, "crashed").await;
    checkout
}
